import type { FunctionComponent } from 'react'

export type Icon = FunctionComponent<{ className?: string }>

/** The component of an icon with this SVG content. `build/icons.ts` calls it for each import of `lucide:<name>`. */
export function iconOf(body: string): Icon {
  return ({ className = '' }) => (
    <svg
      viewBox="0 0 24 24"
      width="24"
      height="24"
      className={`lucide flex-none ${className}`}
      aria-hidden="true"
      dangerouslySetInnerHTML={{ __html: body }}
    />
  )
}
