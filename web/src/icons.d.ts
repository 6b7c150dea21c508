/** A lucide icon as a component, made by `web/build/icons.ts`. */
declare module 'lucide:*' {
  import type { FunctionComponent } from 'react'

  const icon: FunctionComponent<{ className?: string }>
  export default icon
}
