import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type EventStore, NO_EVENTS, START } from '../../event-store/event-store.ts'
import { storeInThread } from './store-thread.ts'

const folder = mkdtempSync(join(tmpdir(), 'coinshop-store-thread-'))
let nowMs = 1_000
let store: EventStore

beforeAll(() => {
  store = storeInThread(join(folder, 'events.sqlite'), { now: () => nowMs })
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const event = () => ({ id: randomUUID(), type: 'Happened', version: 1, data: '{}', metadata: '{}' })

it('writes in the order in which it is told, at the time that it then was', async () => {
  const first = store.append('a-1', NO_EVENTS, [event()])
  const second = store.append('a-1', 0, [event(), event()])
  await Promise.all([first, second])
  nowMs = 2_000
  await store.append('b-1', NO_EVENTS, [event()])
  const events = await store.readAll({ after: START, limit: 10 })
  expect(events.map(({ stream, revision, recordedAt }) => [stream, revision, recordedAt])).toStrictEqual([
    ['a-1', 0, 1_000],
    ['a-1', 1, 1_000],
    ['a-1', 2, 1_000],
    ['b-1', 0, 2_000],
  ])
})

it('refuses what the store refuses', async () => {
  await store.append('c-1', NO_EVENTS, [event()])
  await expect(store.append('c-1', NO_EVENTS, [event()])).rejects.toThrow('c-1 is not at revision -1 but at 0')
})
