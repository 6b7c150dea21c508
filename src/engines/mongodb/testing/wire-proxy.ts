import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { BSON } from 'mongodb'

export interface WireCommand {
  readonly name: string
  readonly document: Readonly<Record<string, unknown>>
  /** From 1. */
  readonly number: number
}

/** Fault of a command: none, a broken connection before it or before its answer, no answer, or another answer. */
export type Fate = 'answered' | 'lost' | 'answer lost' | 'unanswered' | { readonly instead: object }

const OP_REPLY = 1
const OP_MSG = 2013
const HEADER_BYTES = 16
const FLAGS_BYTES = 4
const INT_BYTES = 4
/** A cursor's id, where it starts, and how many documents follow. */
const REPLY_BYTES = 8 + 2 * INT_BYTES
/** The driver's handshakes, which always pass. */
const GREETINGS = new Set(['hello', 'ismaster', 'isMaster', 'endSessions'])
const PRIMARY = {
  ok: 1,
  ismaster: true,
  setName: 'coins',
  hosts: ['127.0.0.1:1'],
  primary: '127.0.0.1:1',
  me: '127.0.0.1:1',
  maxBsonObjectSize: 16 * 1024 * 1024,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  maxWireVersion: 17,
  minWireVersion: 0,
  logicalSessionTimeoutMinutes: 30,
}

/** Stands between the shop and a server that speaks MongoDB's protocol, and decides about each command. With `isReplicaSet`, the server looks like the primary of one. */
export async function wireProxy(
  target: string,
  fateOf: (command: WireCommand) => Fate,
  { isReplicaSet = false }: { isReplicaSet?: boolean } = {},
) {
  const { hostname, port, pathname } = new URL(target)
  const sockets = new Set<Socket>()
  let commands = 0

  const server = createServer((client) => {
    const upstream = connect({ host: hostname, port: Number(port || 27_017) })
    const unanswered = new Set<number>()
    const cut = (): void => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', cut).on('close', () => {
        sockets.delete(socket)
        cut()
      })
    }
    client.on(
      'data',
      frames((frame) => {
        const command = commandIn(frame)
        if (GREETINGS.has(command.name)) {
          return isReplicaSet && command.name !== 'endSessions'
            ? client.write(answerTo(frame, PRIMARY))
            : upstream.write(frame)
        }
        commands += 1
        const fate = fateOf({ ...command, number: commands })
        if (fate === 'unanswered') return undefined
        if (fate === 'lost') return cut()
        if (typeof fate === 'object') return client.write(answerTo(frame, fate.instead))
        if (fate === 'answer lost') unanswered.add(frame.readInt32LE(4))
        return upstream.write(frame)
      }),
    )
    upstream.on(
      'data',
      frames((frame) => (unanswered.has(frame.readInt32LE(8)) ? cut() : client.write(frame))),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()

  return {
    // Otherwise the driver would connect to the name that the server gives.
    url: `mongodb://127.0.0.1:${typeof address === 'object' ? address?.port : ''}${pathname}?directConnection=true`,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Each message begins with its length. */
function frames(take: (frame: Buffer) => unknown): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= HEADER_BYTES && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0)
      const frame = rest.subarray(0, length)
      rest = rest.subarray(length)
      take(frame)
    }
  }
}

function commandIn(frame: Buffer): Omit<WireCommand, 'number'> {
  const flagged = HEADER_BYTES + FLAGS_BYTES
  const start = isMessage(frame) ? flagged + 1 : frame.indexOf(0, flagged) + 1 + 2 * INT_BYTES
  const document = BSON.deserialize(frame.subarray(start, start + frame.readInt32LE(start)))
  return { name: Object.keys(document)[0] ?? '', document }
}

function answerTo(frame: Buffer, document: object): Buffer {
  const body = BSON.serialize(document)
  const start = HEADER_BYTES + FLAGS_BYTES + (isMessage(frame) ? 1 : REPLY_BYTES)
  const answer = Buffer.alloc(start + body.length)
  answer.writeInt32LE(answer.length, 0)
  answer.writeInt32LE(frame.readInt32LE(4), 8)
  answer.writeInt32LE(isMessage(frame) ? OP_MSG : OP_REPLY, 12)
  if (!isMessage(frame)) answer.writeInt32LE(1, start - INT_BYTES)
  answer.set(body, start)
  return answer
}

/** Every message but the first handshake. */
function isMessage(frame: Buffer): boolean {
  return frame.readInt32LE(12) === OP_MSG
}
