import express from 'express'
import { expect, it } from 'vitest'
import { listening } from '../../ports/testing/listening.ts'
import { keptLog } from '../../testing/kept-log.ts'
import { forwardedFor } from './forwarded-for.ts'

/** The address as which a caller counts, and how many warnings were logged. */
async function seen(trust: number | string, forwarded: readonly string[]) {
  const { lines, logger } = keptLog()
  const read = forwardedFor(logger, { now: () => 0 })
  const app = express()
    .set('trust proxy', trust)
    .use((request, response) => {
      read(request)
      response.end(request.ip)
    })
  const url = `http://127.0.0.1:${await listening(app)}`
  const ips = []
  for (const text of forwarded) ips.push(await (await fetch(url, { headers: { 'X-Forwarded-For': text } })).text())
  return { ips, warnings: lines.length }
}

it.for([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:51000', '203.0.113.7'],
  ['"203.0.113.7:51000"', '203.0.113.7'],
  ['2001:db8::7', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['[2001:db8::7]:51000', '2001:db8::7'],
  ['"[2001:db8::7]:51000"', '2001:db8::7'],
  ['2001:db8:0:1:2:3:4:7:51000', '2001:db8:0:1:2:3:4:7'],
  ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
  ['[::ffff:203.0.113.7]:80', '::ffff:203.0.113.7'],
  ['fe80::7%eth0', 'fe80::7%eth0'],
  ['198.51.100.1, 203.0.113.7:51000', '203.0.113.7'],
  ['198.51.100.1,203.0.113.7:51000', '203.0.113.7'],
  ['unknown, \t203.0.113.7', '203.0.113.7'],
  [`${'192.0.2.1, '.repeat(100)}203.0.113.7:1`, '203.0.113.7'],
] as const)('a proxy that writes %s names its caller', async ([text, ip]) => {
  expect(await seen(1, [text])).toEqual({ ips: [ip], warnings: 0 })
})

it.for(['unknown', '-', '_hidden', 'x', '51000', '203.0.113', '203.0.113.7:port', '[203.0.113.7', '999.1.1.1:80'])(
  'a caller that the proxy calls %s counts as the proxy',
  async (junk) => {
    expect(await seen(1, [junk, `198.51.100.1, ${junk}`])).toEqual({ ips: ['127.0.0.1', '127.0.0.1'], warnings: 1 })
  },
)

it('an inner proxy is trusted by its address, whatever port is written after it', async () => {
  const forwarded = ['203.0.113.7:51000, 10.0.0.5:443', '203.0.113.7, [fd00::5]:443', '203.0.113.8, 10.0.0.5:443']
  expect((await seen('loopback, uniquelocal', forwarded)).ips).toEqual(['203.0.113.7', '203.0.113.7', '203.0.113.8'])
  expect((await seen(2, forwarded)).ips).toEqual(['203.0.113.7', '203.0.113.7', '203.0.113.8'])
})

it('a caller whom an inner proxy does not name counts as that proxy', async () => {
  expect((await seen('loopback, uniquelocal', ['unknown, 10.0.0.5:443'])).ips).toEqual(['10.0.0.5'])
  expect((await seen(2, ['unknown, 10.0.0.5:443'])).ips).toEqual(['10.0.0.5'])
})

it('a proxy that names no caller is told of once an hour', async () => {
  const { lines, logger } = keptLog()
  let now = 0
  const read = forwardedFor(logger, { now: () => now })
  const app = express()
    .set('trust proxy', 1)
    .use((request, response) => {
      read(request)
      response.end()
    })
  const url = `http://127.0.0.1:${await listening(app)}`
  for (const at of [0, 1, 3_599_999, 3_600_000, 3_600_001]) {
    now = at
    await fetch(url, { headers: { 'X-Forwarded-For': 'unknown' } })
  }
  expect(lines).toHaveLength(2)
})
