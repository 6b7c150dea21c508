import { hasSession } from '../../domain/admin/admin.ts'
import { nowText } from '../../shop/shop.ts'
import type { Api } from '../api.ts'
import type { PastDay } from '../as-of/past-days.ts'
import { asOfOpen, type AsOfState, asOfState } from '../contract/as-of.ts'
import { type Route, staffRoute } from '../http/route.ts'
import { tellProgress } from '../updates/tell-progress.ts'

export function asOfRoutes(api: Api): Route[] {
  const { hub, pastDays, shop } = api
  const { timeZone } = api.config
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
            void tellProgress<AsOfState, PastDay>(response, {
              progress: () => ({ is: 'folding', ...hold.reached() }),
              done: hold.folded,
              async finish({ endsAt, ended }, say) {
                say({ is: 'ready', endsAt, timeZone })
                await ended
                say({ is: 'ended' })
              },
            })
          },
        }
      },
    }),
  ]
}
