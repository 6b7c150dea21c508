/* What Node tells of itself over its inspector: https://nodejs.org/docs/latest/api/inspector.html */

const ADDRESS = /Debugger listening on (ws:\/\/\S+)/
const SAMPLED_EVERY_US = 200
const ANSWER_TIMEOUT_MS = 30_000

export interface ProfileNode {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string }
  readonly children?: readonly number[]
}

export interface CpuProfile {
  readonly nodes: readonly ProfileNode[]
  readonly samples: readonly number[]
  /** Microseconds from one sample to the next. */
  readonly timeDeltas: readonly number[]
}

/** Given to a process in NODE_OPTIONS, this makes it print the address to connect to. */
export const INSPECTED = '--inspect=127.0.0.1:0'

export interface Profiler {
  start(): Promise<void>
  /** One profile for each thread, the main one first. */
  stop(): Promise<CpuProfile[]>
  close(): void
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly sessionId: string; readonly message: string }
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

/** Profiles the threads of a process that was started with `INSPECTED` and has printed these lines. */
export async function profilerOf(output: readonly string[]): Promise<Profiler> {
  // A program that begins anew has printed another one before.
  const address = output.map((line) => ADDRESS.exec(line)?.[1]).findLast((found) => found !== undefined)
  if (address === undefined) throw new Error('the process does not let itself be inspected')
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error(`${address} does not answer`)))
  })
  const main = session((text) => socket.send(text))
  const workers = new Map<string, Session>()
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    if (message.method === 'NodeWorker.attachedToWorker') attach(message.params?.sessionId ?? '')
    else if (message.method === 'NodeWorker.receivedMessageFromWorker')
      workers.get(message.params?.sessionId ?? '')?.receive(JSON.parse(message.params?.message ?? '{}') as Message)
    else main.receive(message)
  })

  function attach(sessionId: string): void {
    const send = (text: string): void => void main.ask('NodeWorker.sendMessageToWorker', { sessionId, message: text })
    workers.set(sessionId, session(send))
  }

  const everyThread = async <Result>(ask: (one: Session) => Promise<Result>): Promise<Result[]> =>
    Promise.all([main, ...workers.values()].map(ask))

  await main.ask('NodeWorker.enable', { waitForDebuggerOnStart: false })
  return {
    async start() {
      await everyThread(async (one) => {
        await one.ask('Profiler.enable')
        await one.ask('Profiler.setSamplingInterval', { interval: SAMPLED_EVERY_US })
        await one.ask('Profiler.start')
      })
    },
    async stop() {
      return everyThread(async (one) => ((await one.ask('Profiler.stop')) as { profile: CpuProfile }).profile)
    },
    close: () => socket.close(),
  }
}

interface Session {
  ask(method: string, params?: object): Promise<unknown>
  receive(message: Message): void
}

function session(send: (text: string) => void): Session {
  const asked = new Map<number, PromiseWithResolvers<unknown>>()
  let lastId = 0
  return {
    async ask(method, params = {}) {
      lastId += 1
      const answer = Promise.withResolvers<unknown>()
      asked.set(lastId, answer)
      const timer = setTimeout(() => answer.reject(new Error(`${method} was not answered`)), ANSWER_TIMEOUT_MS)
      send(JSON.stringify({ id: lastId, method, params }))
      return answer.promise.finally(() => clearTimeout(timer))
    },
    receive({ id, result, error }) {
      const answer = id === undefined ? undefined : asked.get(id)
      if (id === undefined || !answer) return
      asked.delete(id)
      if (error) answer.reject(new Error(error.message))
      else answer.resolve(result)
    },
  }
}
