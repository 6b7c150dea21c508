import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')

it('docs/dependencies.md has a reason for exactly the direct dependencies', () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read('package.json')) as Record<
    string,
    object
  >
  const documented = [...read('docs/dependencies.md').matchAll(/^- (`[^:(]*`):/gm)].flatMap(([, names = '']) =>
    names.replaceAll('`', '').split(', '),
  )
  expect(documented.sort()).toEqual(
    Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }).sort(),
  )
})

it('docs/dependencies.md lists every production package with an install script, and none of them runs', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { hasInstallScript?: true; dev?: true }>
  }
  const withScript = Object.entries(packages)
    .filter(([, { hasInstallScript, dev }]) => hasInstallScript && !dev)
    .map(([path]) => path.replace(/^.*node_modules\//, ''))
  const listed = [...read('docs/dependencies.md').matchAll(/^- `([^`]+)` \(of /gm)].map(([, name]) => name)
  expect(new Set(listed)).toEqual(new Set(withScript))
  expect(read('.npmrc')).toContain('ignore-scripts=true')
})
