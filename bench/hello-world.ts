import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import express from 'express'

/** The bare server that everything is measured against; its argument is an empty folder. */
const app = express()
app.get('/', (_request, response) => {
  response.json({ hello: 'world' })
})

/** The minimum for the response about an order: three stored events, each with a sealed part. */
const EVENTS = 3
const TAG_BYTES = 16
const key = createSecretKey(randomBytes(32))
const iv = randomBytes(12)
const database = new DatabaseSync(join(process.argv[2] ?? '.', 'events.sqlite'))
database.exec(`PRAGMA journal_mode = WAL;
  CREATE TABLE events (stream TEXT, revision INTEGER, data TEXT, sealed BLOB, PRIMARY KEY (stream, revision)) WITHOUT ROWID`)
const insert = database.prepare(`INSERT INTO events VALUES ('order', ?, ?, ?)`)
for (let revision = 0; revision < EVENTS; revision += 1)
  insert.run(revision, JSON.stringify({ facts: 'x'.repeat(400) }), seal(JSON.stringify({ name: 'x'.repeat(40) })))
const select = database.prepare('SELECT data, sealed FROM events WHERE stream = ? ORDER BY revision')
app.get('/stored', (_request, response) => {
  const rows = select.all('order') as unknown as { data: string; sealed: Uint8Array }[]
  response.json(rows.map((row) => [JSON.parse(row.data), JSON.parse(open(row.sealed))]))
})

function seal(text: string): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  return Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()])
}

function open(bytes: Uint8Array): string {
  const decipher = createDecipheriv('aes-256-gcm', key, iv)
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}

const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('the server has a port')
  process.stdout.write(`http://127.0.0.1:${address.port}\n`)
})
