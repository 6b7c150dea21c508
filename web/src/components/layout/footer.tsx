import { Link } from 'react-router-dom'
import { useShop, useShopName } from '../../api/shop.ts'
import { claims } from '../../claims.ts'

const links = [
  { name: 'Find your order', to: '/find-order' },
  { name: 'Privacy', to: '/privacy' },
  { name: 'Refunds', to: '/refunds' },
  { name: 'Contact', to: '/contact' },
  { name: 'Terms', to: '/terms' },
]

export function Footer() {
  const name = useShopName()
  return (
    <footer className="mt-auto border-t border-line bg-sunk print:hidden">
      <div aria-hidden="true" className="milled h-1.5 text-line" />
      <div className="mx-auto grid max-w-page gap-6 px-4 py-10 sm:px-6 md:flex md:items-center md:justify-between">
        <div className="grid gap-1">
          <p className="font-display text-lg font-bold">{name}</p>
          <p className="text-sm text-muted">Support {claims.supportHours}</p>
        </div>
        <nav aria-label="Footer">
          <ul className="-mx-3 flex flex-wrap">
            {links.map((link) => (
              <li key={link.to}>
                <Link
                  to={link.to}
                  className="flex min-h-11 items-center rounded-control px-3 text-muted hover:text-ink"
                >
                  {link.name}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </footer>
  )
}

/** The footer of checkout and payment pages, where the only link is to help. */
export function HelpFooter() {
  const url = useShop()?.discordDmUrl
  return (
    <footer className="mt-auto border-t border-line print:hidden">
      <p className="mx-auto max-w-page px-4 py-6 text-sm text-muted sm:px-6">
        Stuck?{' '}
        <Link className="link" to={url ?? '/contact'} {...(url && { target: '_blank', rel: 'noreferrer' })}>
          {url ? 'Message support (opens a new tab)' : 'Contact support'}
        </Link>{' '}
        and have your order number at hand.
      </p>
    </footer>
  )
}
