import type { ReactNode } from 'react'

interface TitledCardProps {
  title: string
  /** For links to it. */
  id?: string
  className?: string
  children: ReactNode
}

export function TitledCard({ title, id, className = '', children }: TitledCardProps) {
  return (
    <section
      id={id}
      aria-label={title}
      className={`scroll-mt-36 grid grid-cols-[minmax(0,1fr)] content-start gap-3 rounded-surface border border-line bg-surface p-4 ${className}`}
    >
      <h3 className="text-base">{title}</h3>
      {children}
    </section>
  )
}
