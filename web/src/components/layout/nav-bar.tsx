import Menu from 'lucide:menu'
import X from 'lucide:x'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { isClosed, saleIn } from '../../api/offer.ts'
import { useSettings } from '../../api/settings.ts'
import { usePlayMoney, useShopName } from '../../api/shop.ts'
import { Coin } from '../coins/coin.tsx'
import { ButtonLink } from '../ui/button.tsx'

const tabs = [
  { name: 'Home', to: '/#home', section: 'home' },
  { name: 'About Us', to: '/about-us', section: undefined },
  { name: 'Process', to: '/#process', section: 'process' },
  { name: 'Why Us', to: '/#why-us', section: 'why-us' },
]

export function NavBar({ mode }: { mode: 'full' | 'brand' }) {
  const [isOpen, setOpen] = useState(false)
  const { pathname, hash, key } = useLocation()
  useEffect(() => setOpen(false), [key])
  const isActive = (tab: (typeof tabs)[number]) =>
    pathname === '/' ? tab.section === (hash.slice(1) || 'home') : tab.to === pathname
  const links = tabs.map((tab) => (
    <li key={tab.name}>
      <Link
        to={tab.to}
        aria-current={isActive(tab) ? (tab.section === undefined ? 'page' : 'location') : undefined}
        className="flex min-h-11 items-center rounded-control px-3 text-muted hover:text-ink aria-[current]:font-semibold aria-[current]:text-ink aria-[current]:underline aria-[current]:decoration-amber-edge aria-[current]:decoration-3 aria-[current]:underline-offset-8"
      >
        {tab.name}
      </Link>
    </li>
  ))
  return (
    <header className="print:hidden">
      <PlayMoneyTag />
      <div className="absolute inset-x-0 [@media(min-height:30rem)]:fixed top-0 z-40 border-b border-line bg-paper">
        <div className="mx-auto flex h-16 max-w-page items-center gap-2 px-4 sm:px-6">
          <Brand />
          {mode === 'full' && (
            <>
              <nav aria-label="Main" className="mx-auto hidden md:block">
                <ul className="flex items-center gap-1">{links}</ul>
              </nav>
              <div className="ml-auto flex items-center gap-2 md:ml-0">
                <ButtonLink to="/admin" kind="quiet" className="max-md:hidden">
                  Admin
                </ButtonLink>
                <BuyNow pathname={pathname} />
                <button
                  type="button"
                  className="grid size-11 place-items-center rounded-control hover:bg-sunk md:hidden"
                  aria-expanded={isOpen}
                  aria-controls="menu"
                  onClick={() => setOpen(!isOpen)}
                >
                  {isOpen ? <X /> : <Menu />}
                  <span className="sr-only">Menu</span>
                </button>
              </div>
            </>
          )}
        </div>
        {mode === 'full' && isOpen && (
          <nav id="menu" aria-label="Main" className="border-t border-line px-4 py-2 md:hidden">
            <ul>{links}</ul>
          </nav>
        )}
      </div>
    </header>
  )
}

/** Not in the wizard, and not while nothing can be bought. */
function BuyNow({ pathname }: { pathname: string }) {
  const { data } = useSettings(0)
  if (pathname === '/purchase' || (data !== undefined && isClosed(saleIn(data)))) return null
  return (
    <ButtonLink to="/purchase" className="whitespace-nowrap max-sm:px-3">
      Buy Now
    </ButtonLink>
  )
}

function Brand() {
  const name = useShopName()
  return (
    <Link to="/" className="-ml-1 flex min-h-11 min-w-0 items-center gap-2 rounded-control px-1">
      <Coin />
      <span className="truncate font-display text-lg sm:text-xl font-bold">{name}</span>
    </Link>
  )
}

/** Overlaps the page's top padding, so that nothing shifts when it appears. It scrolls with the page. */
function PlayMoneyTag() {
  const words = usePlayMoney()
  if (!words) return null
  return (
    <p className="pointer-events-none absolute inset-x-0 top-16 flex justify-center">
      <span className="rounded-b-control border border-t-0 border-amber-edge bg-amber-soft px-3 text-[min(0.875rem,6vw)]/5 sm:py-0.5">
        <strong>{words.name}:</strong> {words.text}
      </span>
    </p>
  )
}
