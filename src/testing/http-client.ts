import { expect } from 'vitest'
import * as z from 'zod/mini'
import { problem } from '../api/contract/problem.ts'
import { refusalsOf } from '../api/http/refusals-of.ts'
import type { Route } from '../api/http/route.ts'
import { refusals } from '../domain/refusal.ts'

export interface Sent {
  readonly headers?: Record<string, string>
  /** A session token, sent as a Bearer token. */
  readonly token?: string
  /** A raw body, instead of JSON. */
  readonly raw?: string
}

export interface Received {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed JSON; an empty object if the response has none. */
  readonly body: Record<string, unknown>
}

/** Matches the paths of a route. */
export function patternOf({ path }: Pick<Route, 'path'>): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`)
}

/** Each refusal must be listed in the description of its call. */
function assertPromised(code: string, route: Route | undefined): void {
  if (route === undefined || !(code in refusals) || code === 'admin/not-signed-in') return
  expect(refusalsOf[route.id], `${route.id} answers ${code}`).toContain(code)
}

/** Sends requests over real HTTP, and checks every response against the contract. */
export function httpClient(url: string, routes: readonly Route[]) {
  const patterns = routes.map((route) => ({ route, pattern: patternOf(route) }))

  async function ask(
    method: string,
    path: string,
    body?: unknown,
    { headers, token, raw }: Sent = {},
  ): Promise<Received> {
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(new URL(path, url), {
      method,
      headers: {
        ...(content === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(content === undefined ? {} : { body: content }),
      redirect: 'manual',
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    const parsed = (isJson ? JSON.parse(text) : {}) as Record<string, unknown>
    const pathname = new URL(path, url).pathname
    const own = patterns.find(({ route, pattern }) => route.method === method.toLowerCase() && pattern.test(pathname))
    if (!response.ok && pathname.startsWith('/api')) assertPromised(z.parse(problem, parsed).code, own?.route)
    else if (own?.route.answers && response.ok) z.parse(own.route.answers, isJson ? parsed : text)
    return { status: response.status, headers: response.headers, text, body: parsed }
  }

  return {
    ask,
    get: async (path: string, sent?: Sent) => ask('GET', path, undefined, sent),
    post: async (path: string, body?: unknown, sent?: Sent) => ask('POST', path, body, sent),
    patch: async (path: string, body?: unknown, sent?: Sent) => ask('PATCH', path, body, sent),
    delete: async (path: string, sent?: Sent) => ask('DELETE', path, undefined, sent),
  }
}

export type HttpClient = ReturnType<typeof httpClient>
