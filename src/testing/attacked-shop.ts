import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type Agent, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { NowPaymentsDouble } from '../payments/nowpayments/testing/nowpayments-double.ts'
import { freePort } from '../ports/testing/free-port.ts'
import { testFolder } from '../ports/testing/test-folder.ts'
import { ADMIN_PASSWORD, setStock } from './buyers.ts'
import { provisionWith } from './engine-sets.ts'
import { installedCopy } from './installed-copy.ts'
import { METRICS_TOKEN, startShopProcess } from './shop-process.ts'

export const ASSET = '/assets/app-1a2b.js'
/** More than the buffers of two sockets and a proxy hold. */
const ASSET_BYTES = 20_000_000
const STOCK = 1_000_000
/** Any answer that takes longer never comes. */
const HANG_MS = 30_000

/** How strangers reach the shop. */
export interface Door {
  readonly name: string
  readonly port: number
}

export interface Sent {
  readonly method?: string
  readonly path: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly agent?: Agent
}

export interface Answered {
  readonly status: number
  readonly text: string
  readonly ms: number
}

/** What a shop's process uses now; the delay of its event loop is the longest since the last look. */
export interface Usage {
  readonly descriptors: number
  readonly memoryMB: number
  readonly delayMs: number
}

/** A live shop in its own process with a double of NOWPayments, built screens and all limits. It trusts a proxy at 127.0.0.1 alone. */
export async function startAttackedShop() {
  const root = installedCopy()
  mkdirSync(join(root, 'dist/web/assets'), { recursive: true })
  for (const name of ['index.html', 'landing.html']) writeFileSync(join(root, 'dist/web', name), '<!doctype html>')
  writeFileSync(join(root, 'dist/web', ASSET), Buffer.alloc(ASSET_BYTES, 'x'))
  const place = await provisionWith({})
  const double = await new NowPaymentsDouble().listen()
  const env = { PAYMENTS: 'live', RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'info', ADMIN_PASSWORD }
  const shop = await startShopProcess({ ...place.env, ...double.env, ...env }, { root: pathToFileURL(`${root}/`) })
  await setStock(shop.url, STOCK)
  const direct: Door = { name: 'direct', port: Number(new URL(shop.url).port) }
  return {
    direct,
    double,
    output: shop.output,
    async usage(): Promise<Usage> {
      const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
      const { text } = await ask(direct, '127.0.0.1', { path: '/metrics', headers })
      const status = readFileSync(`/proc/${shop.pid}/status`, 'utf8')
      return {
        descriptors: readdirSync(`/proc/${shop.pid}/fd`).length,
        memoryMB: Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024),
        delayMs: Math.round(Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1]) * 1_000),
      }
    },
    metrics: async () => {
      const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
      return (await ask(direct, '127.0.0.1', { path: '/metrics', headers })).text
    },
    async stop() {
      await shop.kill()
      await double.stop()
      await place.remove()
    },
  }
}

export type AttackedShop = Awaited<ReturnType<typeof startAttackedShop>>

/** The nginx of docs/operations.md without TLS, before a shop. */
export async function startNginx({ port: shopPort }: Door): Promise<Door & { stop(): Promise<void> }> {
  const folder = testFolder()
  const port = await freePort()
  const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
  const [, own = ''] = /(\n {4}upstream coinshop [\s\S]*?)\n(?=\S)/.exec(page) ?? []
  const servers = own
    .replace('127.0.0.1:3000', `127.0.0.1:${shopPort}`)
    .replace(/ {4}server \{\n {6}listen 80;[\s\S]*?\n {4}\}\n/, '')
    .replace('listen 443 ssl http2', `listen 127.0.0.1:${port}`)
    .replaceAll(/ +ssl_certificate.*\n/g, '')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root;\n' : ''}pid ${folder}/pid;\nevents {}\nhttp {\naccess_log off;\n${temporary.join('\n')}\n${servers}\n}\n`,
  )
  const child = spawn('nginx', [
    '-p',
    folder,
    '-c',
    join(folder, 'nginx.conf'),
    '-e',
    join(folder, 'error.log'),
    '-g',
    'daemon off;',
  ])
  const ended = once(child, 'exit')
  const door = { name: 'through nginx', port }
  for (let tries = 0; ; tries += 1) {
    const answer = await ask(door, '127.0.0.1', { path: '/healthz' }).catch(() => undefined)
    if (answer?.status === 200) break
    if (tries === 100 || child.exitCode !== null)
      throw new Error(`nginx: ${readFileSync(join(folder, 'error.log'), 'utf8')}`)
    await pause(100)
  }
  return {
    ...door,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Asks from one of this machine's loopback addresses, which stands for one stranger. */
export async function ask(
  { port }: Door,
  from: string,
  { method = 'GET', path, body, headers, agent }: Sent,
): Promise<Answered> {
  const began = performance.now()
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        localAddress: from,
        method,
        path,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        agent: agent ?? false,
        signal: AbortSignal.timeout(HANG_MS),
      },
      resolve,
    )
    sent.on('error', reject)
    sent.end(body)
  })
  const text = Buffer.concat((await response.toArray()) as Buffer[]).toString()
  return { status: response.statusCode ?? 0, text, ms: performance.now() - began }
}

/** A connection that reads nothing until it is resumed. */
export async function unread({ port }: Door, from: string, text: string): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, localAddress: from })
  socket.on('error', () => undefined)
  await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  socket.write(text)
  return socket
}
