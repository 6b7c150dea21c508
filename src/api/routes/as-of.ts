import type { Api } from '../api.ts'
import { asOfOpenQuery, asOfState } from '../contract/as-of.ts'
import { type Route, staffRoute } from '../http/route.ts'

export function asOfRoutes({ pastDays, context: { config } }: Api): Route[] {
  return [
    staffRoute({
      id: 'openPastDay',
      method: 'get',
      path: '/api/admin/as-of',
      summary:
        'Progress of folding the shop up to the end of a past day; the first call starts it. Repeat until it is ready.',
      query: asOfOpenQuery,
      answers: asOfState,
      async handle({ query: { at } }) {
        const day = await pastDays.look(at)
        return {
          body:
            'part' in day
              ? { is: 'folding' as const, ...day }
              : { is: 'ready' as const, endsAt: day.endsAt, timeZone: config.SHOP_TIME_ZONE },
        }
      },
    }),
  ]
}
