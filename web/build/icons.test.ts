import { build } from 'vite'
import { expect, it } from 'vitest'
import { lucideIcons } from './icons.ts'

const built = async (icon: string) =>
  build({
    configFile: false,
    logLevel: 'silent',
    plugins: [lucideIcons()],
    build: { write: false, rolldownOptions: { input: `lucide:${icon}`, external: /^react/ } },
  })

it('an icon is built into the script, and an unknown one fails the build', async () => {
  expect(JSON.stringify(await built('copy'))).toContain('M4 16c-1.1 0-2-.9-2-2V4')
  await expect(built('copi')).rejects.toThrow('Lucide has no icon "copi".')
})
