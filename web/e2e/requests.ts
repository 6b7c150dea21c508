import type { Page } from 'playwright-core'

/** Collects the path of each request from now on. */
export function requestedPaths(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  return asked
}
