import { nowText } from '../../shop/command-context.ts'
import { hasSession } from '../../domain/admin/admin.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Api } from '../api.ts'
import { update, updatesQuery } from '../contract/updates.ts'
import { type Route, route } from '../http/route.ts'

export function updateRoutes({ hub, context }: Api): Route[] {
  return [
    route({
      id: 'followUpdates',
      method: 'get',
      path: '/api/updates',
      summary: 'Server-sent events: what changed, as {topic, position}.',
      query: updatesQuery,
      answers: update,
      answersType: 'text/event-stream',
      async handle({ query, session, networks }) {
        const topics = new Set<string>(query.topics ?? [])
        if (query.order !== undefined) topics.add(`order:${query.order}`)
        const staff = topics.has('staff') ? session : undefined
        if (topics.has('staff') && !staff) throw new Refusal('admin/not-signed-in', 'Please login first.')
        const isSessionOpen = (): boolean =>
          staff === undefined || hasSession(context.hot.admin.state, staff.sessionId, nowText(context))
        return { stream: (response) => hub.open(response, { networks, topics, isSessionOpen }) }
      },
    }),
  ]
}
