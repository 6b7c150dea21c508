import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { BUILT_FROM, screensDigest } from './screens.js'

const WEB = fileURLToPath(new URL('../../web', import.meta.url))

/** Run by `npm run build:web`, and by `npm start` if due. */
try {
  process.stdout.write('Building the screens ...\n')
  if (WEB.includes('#')) throw new Error(`Vite cannot build in a folder with # in its path (${WEB})`)
  const digest = screensDigest()
  const { build } = await import('vite')
  await build({ root: WEB, logLevel: 'silent' })
  writeFileSync(BUILT_FROM, digest)
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException
  const isMissing = code === 'ERR_MODULE_NOT_FOUND'
  const why = isMissing ? 'the packages that build them are not installed' : message.trim().split('\n')[0]
  const what = isMissing ? 'run "npm ci --include=dev", then this again' : 'mend that, then run "npm run build:web"'
  process.stderr.write(`the screens cannot be built: ${why}: ${what}\n`)
  process.exitCode = 1
}
