import ArrowLeft from 'lucide:arrow-left'
import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router-dom'
import { useShopName } from '../../api/shop.ts'

/** After a page load the first heading does not take the focus; headings of later screens do. */
let isFirstHeading = true

interface PageHeadingProps {
  children: ReactNode
  /** The document's title, if it says more than the heading. */
  title?: string
  className?: string
}

/** The one h1 of a screen. A `key` per step makes screen readers announce each step. */
export function PageHeading({ children, title, className = 'text-xl sm:text-3xl' }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shopName = useShopName()
  const name = title ?? (typeof children === 'string' ? children : '')
  useEffect(() => {
    document.title = name === '' ? shopName : `${name} – ${shopName}`
  }, [name, shopName])
  useEffect(() => {
    if (isFirstHeading) isFirstHeading = false
    else heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <h1 ref={heading} tabIndex={-1} className={className}>
      {children}
    </h1>
  )
}

/** A screen's column below the fixed bar. */
export function Page({ width = 'page', children }: { width?: 'page' | 'reading' | 'narrow'; children: ReactNode }) {
  const widths = { page: 'max-w-page', reading: 'max-w-[46rem]', narrow: 'max-w-xl' }
  return (
    <div className={`mx-auto w-full px-4 pt-[1.5rem] pb-16 sm:px-6 sm:pt-[2.5rem] ${widths[width]}`}>{children}</div>
  )
}

interface BackLinkProps {
  to: string
  onClick?: (() => void) | undefined
  children?: string
}

export function BackLink({ to, onClick, children = 'Back' }: BackLinkProps) {
  return (
    <Link
      to={to}
      onClick={onClick}
      className="-ml-3 inline-flex min-h-11 items-center gap-1.5 rounded-control px-3 text-muted hover:text-ink"
    >
      <ArrowLeft className="size-5" />
      <span>{children}</span>
    </Link>
  )
}

/** The step's primary action, kept in sight at the lower edge of the window while its place is further down. */
export function ActionBar({ children }: { children: ReactNode }) {
  return (
    <div className="z-30 -mx-4 border-t border-line bg-paper px-4 py-3 sm:-mx-6 sm:px-6 lg:m-0 lg:border-0 lg:px-0 [@media(min-height:37.5rem)]:sticky [@media(min-height:37.5rem)]:bottom-0">
      {children}
    </div>
  )
}

/** A bordered part of a screen. */
export function Card({ className = '', children }: { className?: string; children: ReactNode }) {
  return <div className={`rounded-surface border border-line bg-surface p-4 sm:p-6 ${className}`}>{children}</div>
}
