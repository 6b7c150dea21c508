import { answer, read, Unreachable } from './client.ts'

const STREAM_TIMEOUT_MS = 3_600_000
const DATA = 'data: '

export function cutShort(cause?: unknown): Unreachable {
  return new Unreachable('The connection was cut short.', { cause })
}

/** Server-sent events, one after another until the shop or the signal ends them. */
export async function* follow<T>(path: string, signal: AbortSignal): AsyncGenerator<T> {
  const response = await read(path, { signal, timeoutMs: STREAM_TIMEOUT_MS })
  if (!response.ok || response.body === null) return answer(response)
  const texts = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let unread = ''
  for (;;) {
    const { done, value } = await texts.read().catch((error: unknown) => {
      throw cutShort(error)
    })
    if (done) return undefined
    const blocks = (unread + value).split('\n\n')
    unread = blocks.pop() ?? ''
    for (const block of blocks) if (block.startsWith(DATA)) yield JSON.parse(block.slice(DATA.length)) as T
  }
}
