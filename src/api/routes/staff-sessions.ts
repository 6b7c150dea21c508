import { endSessions } from '../../commands/log-in-admin.ts'
import { openSessions } from '../../shop/session-notes.ts'
import type { Api } from '../api.ts'
import { sessionEnds, staffSessions } from '../contract/admin.ts'
import { done } from '../contract/order.ts'
import { type Route, sentenceBody, staffRoute } from '../http/route.ts'

export function staffSessionRoutes({ context }: Api): Route[] {
  return [
    staffRoute({
      id: 'listSessions',
      method: 'get',
      path: '/api/admin/sessions',
      summary: 'The open sessions of staff, the oldest first.',
      answers: staffSessions,
      async handle({ session: { sessionId } }) {
        const sessions = await openSessions(context)
        return { body: { sessions: sessions.map((one) => ({ ...one, isThis: one.id === sessionId })) } }
      },
    }),

    staffRoute({
      id: 'endSessions',
      method: 'post',
      path: '/api/admin/sessions/end',
      // A stolen session must not end the owner's, who is fresh after a login.
      needs: 'fresh-session',
      summary: 'End sessions; their browsers learn of it at once.',
      body: sessionEnds,
      answers: done,
      async handle({ body, caller }) {
        const position = await endSessions(context, caller, body.ids)
        return { body: sentenceBody('These sessions have ended.'), position }
      },
    }),
  ]
}
