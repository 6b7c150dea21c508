import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A browser, or why there is none: `CHROMIUM`, one of the usual places, or the packed one. */
export async function openBrowser(): Promise<{ browser: Browser } | { reason: string }> {
  const reasons: string[] = []
  const named = process.env['CHROMIUM']
  for (const place of named === undefined ? usualPlaces.filter((path) => existsSync(path)) : [named]) {
    try {
      return { browser: await chromium.launch({ executablePath: place, args }) }
    } catch (error) {
      reasons.push(`${place}: ${lineOf(error)}`)
    }
  }
  if (named !== undefined) return { reason: reasons.join('; ') }
  try {
    const packed = (await import('@sparticuz/chromium')).default
    return {
      browser: await chromium.launch({
        executablePath: await packed.executablePath(),
        args: [...packed.args, ...args],
      }),
    }
  } catch (error) {
    reasons.push(`packed Chromium: ${lineOf(error)}`)
  }
  return { reason: reasons.join('; ') }
}

function lineOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
}
