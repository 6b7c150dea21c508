import type { ReactNode } from 'react'

export function TitledCard({
  title,
  className = '',
  children,
}: {
  title: string
  className?: string
  children: ReactNode
}) {
  return (
    <section
      className={`grid grid-cols-[minmax(0,1fr)] content-start gap-3 rounded-surface border border-line bg-surface p-4 ${className}`}
    >
      <h3 className="text-base">{title}</h3>
      {children}
    </section>
  )
}
