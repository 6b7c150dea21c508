import { readFileSync } from 'node:fs'
import { type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import * as z from 'zod'
import { parseAddress, type ServerAddress } from './address.ts'

/** Facts read over HTTP on the same port; undefined if the server hides them from this user. */
export interface ServerFacts {
  readonly version: string | undefined
  /** `leader`, `follower`, ... */
  readonly state: string | undefined
  /** True if the server loses all data when it stops. */
  readonly isInMemory: boolean | undefined
  /** The server's clock, in whole seconds. */
  readonly clockMs: number | undefined
}

interface Answer {
  readonly body: unknown
  readonly date: string | undefined
}

const ANSWER_MS = 3_000
const BODY_BYTES_MAX = 4_194_304

// The case of these names differs between releases.
const info = z.looseObject({
  esversion: z.string().optional(),
  dbversion: z.string().optional(),
  state: z.string().optional(),
})
const serverOptions = z.array(z.looseObject({ name: z.string(), value: z.unknown() }))

/** Reads from the first host that answers. Throws if none does. */
export async function serverFacts(url: string): Promise<ServerFacts> {
  const address = parseAddress(url)
  const { host, answer } = await firstAnswer(address, '/info')
  const options = await ask(address, host, '/info/options').catch(() => undefined)
  const parsed = info.safeParse(lowerCaseNames(answer.body)).data
  const listed = serverOptions.safeParse(lowerCaseNames(options?.body)).data
  const inMemory = listed?.find(({ name }) => name.toLowerCase() === 'memdb')?.value
  return {
    version: parsed?.esversion ?? parsed?.dbversion,
    state: parsed?.state,
    isInMemory: listed?.length ? String(inMemory).toLowerCase() === 'true' : undefined,
    clockMs: Date.parse(answer.date ?? '') || undefined,
  }
}

type Host = ServerAddress['hosts'][number]

async function firstAnswer(address: ServerAddress, path: string): Promise<{ host: Host; answer: Answer }> {
  let failure: unknown
  for (const host of address.hosts)
    try {
      return { host, answer: await ask(address, host, path) }
    } catch (error) {
      failure = error
    }
  throw failure
}

async function ask(
  { isSecure, credentials, caFile }: ServerAddress,
  { host, port }: Host,
  path: string,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const sent = (isSecure ? overHttps : overHttp)({
    host: host.replace(/^\[|\]$/g, ''),
    port,
    path,
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(ANSWER_MS),
    ...(isSecure && credentials && { auth: `${credentials.username}:${credentials.password}` }),
    ...(isSecure && caFile !== undefined && { ca: readFileSync(caFile) }),
  })
  sent.once('response', resolve).once('error', reject).end()
  const response = await promise
  if (response.statusCode !== 200) {
    response.resume()
    throw new Error(`${path} answers ${response.statusCode}`)
  }
  let text = ''
  for await (const part of response.setEncoding('utf8')) {
    text += String(part)
    if (text.length > BODY_BYTES_MAX) throw new Error(`${path} answers without end`)
  }
  return { body: JSON.parse(text) as unknown, date: response.headers.date }
}

/** Lowers the case of names, not of values. */
function lowerCaseNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowerCaseNames)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.toLowerCase(), lowerCaseNames(inner)]))
}
