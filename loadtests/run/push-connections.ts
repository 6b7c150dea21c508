import { type ClientRequest, request } from 'node:http'
import { ask, asOwner } from '../../src/testing/buyers.ts'

/** The shop accepts 100 from one address. */
const PER_ADDRESS = 50
const OPENED_MS = 30_000
const HEARD_MS = 15_000
const POLL_MS = 20
const LAST_STOCK_M = 12_345

/** Screens that are kept up to date by server-sent events, which k6 does not support. */
export interface PushConnections {
  /** Changes something in the shop; resolves with the milliseconds until every connection was notified, and one sentence for each broken promise. */
  hearLastChange(): Promise<{ ms: number; problems: string[] }>
  close(): void
}

/** The shop must trust a proxy, since connections have made-up addresses. */
export async function openPushConnections(url: string, count: number): Promise<PushConnections> {
  const heard = Array.from({ length: count }, () => '')
  const requests: ClientRequest[] = []
  let closed = 0
  let opened = 0
  const open = (index: number): void => {
    const headers = { 'x-forwarded-for': `198.51.100.${Math.floor(index / PER_ADDRESS)}` }
    const sent = request(`${url}/api/updates?topics=settings,pricing`, { headers, agent: false }, (response) => {
      if (response.statusCode === 200) opened += 1
      response.setEncoding('utf8').on('data', (text: string) => {
        for (const [, position = ''] of text.matchAll(/"position":"([\w-]+)"/g)) heard[index] = position
      })
      response.on('close', () => (closed += 1))
    })
    sent.on('error', () => undefined)
    requests.push(sent.end())
  }
  for (let index = 0; index < count; index += 1) open(index)
  await until(() => opened === count, OPENED_MS)

  return {
    async hearLastChange() {
      const headers = await asOwner(url)
      const answer = await ask(url, 'PATCH', '/api/payment-settings', { body: { currentStock: LAST_STOCK_M }, headers })
      const changedAt = performance.now()
      const position = String(answer.headers['x-position'])
      const unnotified = (): number => heard.filter((last) => last !== position).length
      await until(() => unnotified() === 0, HEARD_MS)
      const problems = [
        ...(opened < count ? [`only ${opened} of ${count} push connections were accepted`] : []),
        ...(closed > 0 ? [`${closed} push connections were ended by the shop`] : []),
        ...(unnotified() > 0
          ? [`${unnotified()} of ${count} push connections were not notified of the last change`]
          : []),
      ]
      return { ms: performance.now() - changedAt, problems }
    },
    close() {
      for (const sent of requests) sent.destroy()
    },
  }
}

async function until(isSo: () => boolean, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!isSo() && performance.now() < deadline)
    await new Promise((resolve) => {
      setTimeout(resolve, POLL_MS)
    })
}
