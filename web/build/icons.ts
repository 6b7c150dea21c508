import { fileURLToPath } from 'node:url'
import { icons } from '@iconify-json/lucide'
import type { Plugin } from 'vite'

const PREFIX = 'lucide:'
const component = fileURLToPath(new URL('../src/lib/icon.tsx', import.meta.url))

/** Makes `import Copy from 'lucide:copy'` the component of this lucide icon. */
export function lucideIcons(): Plugin {
  return {
    name: 'lucide-icons',
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined
      const name = id.slice(PREFIX.length + 1)
      const icon = icons.icons[name]
      if (icon === undefined) return this.error(`Lucide has no icon "${name}".`)
      return `import { iconOf } from ${JSON.stringify(component)}\nexport default iconOf(${JSON.stringify(icon.body)})`
    },
  }
}
