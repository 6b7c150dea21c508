import type { ChildProcessByStdio } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { EventStore, StoredEvent } from './event-store.ts'
import { START } from './event-store.ts'
import { sqliteEventStore } from './sqlite-event-store.ts'
import { testFolder } from '../../ports/testing/test-folder.ts'
import { everything, idsOf, someEvent, someStream, wholeStream } from './testing/some-events.ts'

const LONG_MS = 600_000

let folder: string
let file: string
let opened: EventStore[]
let children: ChildProcessByStdio<Writable, Readable, null>[]

beforeEach(() => {
  folder = testFolder()
  file = join(folder, 'events.db')
  opened = []
  children = []
})

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  await Promise.all(opened.map((store) => store.close()))
})

function open(file: string): EventStore {
  const store = sqliteEventStore(file)
  opened.push(store)
  return store
}

function startWriter(stream: string, count: number) {
  const script = join(import.meta.dirname, 'testing', 'writer-process.ts')
  const args = [script, file, stream, String(count)]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return {
    child,
    ready: async () => expect(await lines.next()).toMatchObject({ value: 'ready' }),
    go: () => child.stdin.write('go\n'),
    answers: async (upTo = Infinity): Promise<{ revision: number; id: string }[]> => {
      const answers: { revision: number; id: string }[] = []
      while (answers.length < upTo) {
        const { value, done } = await lines.next()
        if (done === true) return answers
        const [revision, id = ''] = value.split(' ')
        answers.push({ revision: Number(revision), id })
      }
      return answers
    },
  }
}

it('of processes that race on one stream, one wins each revision', async () => {
  const [stream, each] = [someStream(), 60]
  // All three find no file, and make it at the same time.
  const writers = [1, 2, 3].map(() => startWriter(stream, each))
  await Promise.all(writers.map(({ ready }) => ready()))
  const store = open(file)
  for (const { go } of writers) go()
  const seen: StoredEvent[] = []
  const { signal } = new AbortController()
  while (seen.length < each * writers.length) {
    const after = seen.at(-1)?.position ?? START
    seen.push(...(await store.readAll({ after, limit: 10 })))
    await store.waitForEvents({ after, timeoutMs: LONG_MS, signal })
  }
  const answers = (await Promise.all(writers.map(({ answers }) => answers()))).flat()
  const inOrder = answers.toSorted((a, b) => a.revision - b.revision)
  expect(inOrder.map(({ revision }) => revision)).toEqual([...inOrder.keys()])
  expect(inOrder).toHaveLength(each * writers.length)
  expect(idsOf(await wholeStream(store, stream))).toEqual(idsOf(inOrder))
  expect(idsOf(seen)).toEqual(idsOf(inOrder))
})

it('the log has every acknowledged append of a killed process', async () => {
  const stream = someStream()
  const writer = startWriter(stream, Infinity)
  await writer.ready()
  writer.go()
  const answers = await writer.answers(50)
  writer.child.kill('SIGKILL')
  await once(writer.child, 'exit')
  answers.push(...(await writer.answers()).filter(({ id }) => id.length === 36))
  const store = open(file)
  const kept = await wholeStream(store, stream)
  expect(idsOf(kept.slice(0, answers.length))).toEqual(idsOf(answers))
  await store.append(stream, kept.length - 1, [someEvent()])
  expect(await everything(store)).toHaveLength(kept.length + 1)
})
