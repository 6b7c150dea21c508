import type { ReactNode, Ref } from 'react'
import { Link } from 'react-router-dom'
import type { Icon } from '../../../lib/icon.tsx'

interface DeskSectionProps {
  id: string
  icon: Icon
  title: string
  /** Gets the focus when the focused row is removed. */
  heading?: Ref<HTMLHeadingElement>
  isUrgent?: boolean
  /** Shown after the title. */
  head?: ReactNode
  link?: { readonly to: string; readonly text: string } | undefined
  children?: ReactNode
}

/** Work that waits for staff: one line on every tab, a list on the dashboard. */
export function DeskSection(props: DeskSectionProps) {
  const { id, icon: Icon, title, heading, isUrgent = false, head, link, children } = props
  return (
    <section
      aria-labelledby={`${id}-heading`}
      className={`grow overflow-hidden rounded-surface border ${isUrgent ? 'border-amber-edge bg-amber-soft' : 'border-edge bg-surface'}`}
    >
      <div className={`flex flex-wrap items-center gap-x-4 gap-y-1 px-3 ${children ? 'min-h-12 py-1.5' : 'min-h-9'}`}>
        <h2 ref={heading} tabIndex={-1} id={`${id}-heading`} className="flex items-center gap-2 text-base">
          <Icon className="size-5 flex-none" />
          {title}
        </h2>
        {head}
        {link && (
          <Link className="ml-auto link inline-flex min-h-6 items-center" to={link.to} replace>
            {link.text}
          </Link>
        )}
      </div>
      {children}
    </section>
  )
}
