import type { Response } from 'express'
import { problemOf } from '../http/errors.ts'

const PROGRESS_EVERY_MS = 250

interface Told<State, Done> {
  readonly progress: () => State
  readonly done: Promise<Done>
  /** Says what came of it; then the connection ends. */
  readonly finish: (done: Done, say: (state: State) => void) => Promise<void> | void
}

interface Failed {
  readonly is: 'failed'
  readonly code: string
  readonly message: string
}

/** Says on an open connection how far something has come, until it is done or has failed. */
export async function tellProgress<State, Done>(
  response: Response,
  { progress, done, finish }: Told<State, Done>,
): Promise<void> {
  const say = (state: State | Failed): void => {
    // The session may have ended meanwhile.
    if (!response.writableEnded) response.write(`data: ${JSON.stringify(state)}\n\n`)
  }
  const sayProgress = (): void => say(progress())
  sayProgress()
  const timer = setInterval(sayProgress, PROGRESS_EVERY_MS)
  try {
    await finish(await done.finally(() => clearInterval(timer)), say)
  } catch (error) {
    const { status, code, body } = problemOf(error, response.locals.correlationId)
    response.locals.problem = { code, error: status >= 500 ? error : undefined }
    say({ is: 'failed', code, message: body.message })
  }
  response.end()
}
