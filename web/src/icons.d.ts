/** An icon of the lucide family by its name there. `web/build/icons.ts` makes it a component. */
declare module 'lucide:*' {
  import type { FunctionComponent } from 'react'

  const icon: FunctionComponent<{ className?: string }>
  export default icon
}
