import type { Page } from 'playwright-core'

/** Method and path of each request from now on. */
export function requestsOf(page: Page): string[] {
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`))
  return sent
}

/** The path of each request from now on. */
export function pathsAsked(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  return asked
}
