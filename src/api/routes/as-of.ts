import type { Api } from '../api.ts'
import { asOfOpen, asOfState } from '../contract/as-of.ts'
import { type Route, staffRoute } from '../http/route.ts'

export function asOfRoutes({ pastDays, config: { timeZone } }: Api): Route[] {
  return [
    staffRoute({
      id: 'openPastDay',
      method: 'get',
      path: '/api/admin/as-of',
      summary:
        'How far the shop is folded up to the end of a past day, which begins with the first call. Asked until it is ready.',
      query: asOfOpen,
      answers: asOfState,
      async handle({ query: { at } }) {
        const day = await pastDays.look(at)
        return {
          body:
            'part' in day ? { is: 'folding' as const, ...day } : { is: 'ready' as const, endsAt: day.endsAt, timeZone },
        }
      },
    }),
  ]
}
