import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import express, { type RequestHandler } from 'express'
import { expect, it } from 'vitest'
import { listening } from '../ports/testing/listening.ts'

const AUDIT = fileURLToPath(new URL('../../.ci/audit', import.meta.url))

/** Runs `.ci/audit` against a registry and a list of Node's releases of our own. */
async function audited(ofPackages: RequestHandler, ofNode: RequestHandler) {
  const app = express().use('/-/npm', ofPackages).get('/index.json', ofNode)
  const address = `http://127.0.0.1:${await listening(app)}`
  const env = {
    ...process.env,
    npm_config_registry: address,
    npm_config_fetch_retries: '0',
    NODE_INDEX: `${address}/index.json`,
  }
  const child = spawn(AUDIT, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [chunks, [code]] = await Promise.all([child.stdout.toArray(), once(child, 'exit')])
  return { code: code as number, text: Buffer.concat(chunks as Buffer[]).toString() }
}

const refuse: RequestHandler = (_request, response) => void response.status(405).end()
const release = (version: string, security: boolean) => ({ version, date: '2026-11-01', security })

it('the audit says what it could not read and does not fail for it', async () => {
  const { code, text } = await audited(refuse, refuse)
  expect(text).toMatch(/^audit: packages could not be read: 405 Method Not Allowed/m)
  expect(text).toMatch(/^audit: Node's releases could not be read: .*405/m)
  expect(code).toBe(0)
})

it('the audit fails for a vulnerable package and for a security release of Node', async () => {
  const advisory = { id: 1, url: 'https://a.example', title: 'bad', severity: 'high', vulnerable_versions: '*' }
  const { code, text } = await audited(
    (_request, response) => void response.json({ express: [advisory] }),
    (_request, response) =>
      void response.json([release('v24.999.0', true), release('v24.998.0', false), release('v99.0.0', true)]),
  )
  expect(text).toMatch(/^audit: express: high$/m)
  expect(text.match(/^audit: Node v\S+/gm)).toEqual(['audit: Node v24.999.0'])
  expect(code).toBe(1)
})
