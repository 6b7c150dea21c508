import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** A machine that builds and tests at once starts a browser slowly. */
const START_TIMEOUT_MS = 60_000

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

/** Starts the browser at the path in `CHROMIUM`, or an installed one; else returns the reason. */
export async function launchBrowser(more: readonly string[] = []): Promise<{ browser: Browser } | { reason: string }> {
  const reasons: string[] = []
  const named = process.env['CHROMIUM']
  const places = named === undefined ? usualPlaces.filter((path) => existsSync(path)) : [named]
  for (const place of places) {
    try {
      return { browser: await launch(place, [...args, ...more]) }
    } catch (error) {
      reasons.push(`${place}: ${lineOf(error)}`)
    }
  }
  return { reason: reasons.join('; ') || 'this machine has none' }
}

async function launch(executablePath: string, given: readonly string[]): Promise<Browser> {
  return chromium.launch({ executablePath, args: [...given], timeout: START_TIMEOUT_MS })
}

function lineOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
}
