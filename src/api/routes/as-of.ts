import type { Response } from 'express'
import { hasSession } from '../../domain/admin/admin.ts'
import { nowText } from '../../shop/shop.ts'
import type { Api } from '../api.ts'
import type { Hold } from '../as-of/past-days.ts'
import { asOfOpen, type AsOfState, asOfState } from '../contract/as-of.ts'
import { problemOf } from '../http/errors.ts'
import { type Route, staffRoute } from '../http/route.ts'

const PROGRESS_EVERY_MS = 250

export function asOfRoutes(api: Api): Route[] {
  const { hub, pastDays, shop } = api
  return [
    staffRoute({
      method: 'get',
      path: '/api/admin/as-of',
      summary:
        'Server-sent events: how far the shop is folded up to the end of a past day, which is kept while this is open.',
      query: asOfOpen,
      answers: asOfState,
      answersType: 'text/event-stream',
      async handle({ query: { at }, session: { sessionId }, networks: [address], signal }) {
        const hold = await pastDays.hold(at, signal)
        const isSessionOpen = (): boolean => hasSession(shop.hot.admin.state, sessionId, nowText(shop))
        return {
          stream(response) {
            hub.open(response, { address, topics: new Set(), isSessionOpen })
            void tell(response, hold, api.config.timeZone)
          },
        }
      },
    }),
  ]
}

async function tell(response: Response, hold: Hold, timeZone: string): Promise<void> {
  const say = (state: AsOfState): void => {
    // The session may have ended meanwhile.
    if (!response.writableEnded) response.write(`data: ${JSON.stringify(state)}\n\n`)
  }
  const sayProgress = (): void => say({ is: 'folding', ...hold.reached() })
  sayProgress()
  const timer = setInterval(sayProgress, PROGRESS_EVERY_MS)
  try {
    const { endsAt, ended } = await hold.folded.finally(() => clearInterval(timer))
    say({ is: 'ready', endsAt, timeZone })
    await ended
    say({ is: 'ended' })
  } catch (error) {
    const { status, code, body } = problemOf(error, response.locals.correlationId)
    response.locals.problem = { code, error: status >= 500 ? error : undefined }
    say({ is: 'failed', code, message: body.message })
  }
  response.end()
}
