import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testFolder } from '../ports/testing/test-folder.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

interface Locked {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>
}

/** A shop installed by `npm ci --omit=dev` into a folder of the test, without the sources of the screens. */
export function installedCopy(): string {
  const root = testFolder()
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Locked
  const top = /^node_modules\/(@[^/]+\/)?[^/]+$/
  for (const [path, { dev }] of Object.entries(packages)) {
    if (dev || !top.test(path) || !existsSync(join(ROOT, path))) continue
    mkdirSync(dirname(join(root, path)), { recursive: true })
    symlinkSync(join(ROOT, path), join(root, path))
  }
  for (const name of ['package.json', 'package-lock.json', '.npmrc', 'src'])
    cpSync(join(ROOT, name), join(root, name), { recursive: true })
  return root
}
