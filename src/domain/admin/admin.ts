import type { Decider } from '../decider.ts'
import { Refusal } from '../refusal.ts'
import type { AdminEvent } from './events.ts'

export type AdminCommand =
  | { type: 'SetPassword'; adminId: string; passwordId: string; replaces: string | undefined; at: string }
  | { type: 'RequireSecondFactor'; adminId: string; factorId: string; at: string }
  | { type: 'RemoveSecondFactor'; adminId: string; factorId: string; at: string }
  | {
      type: 'StartSession'
      adminId: string
      sessionId: string
      /** What was checked. */
      passwordId: string
      factorId: string | undefined
      isNewBrowser: boolean
      expiresAt: string
      at: string
    }
  | { type: 'ConfirmSession'; adminId: string; sessionId: string; at: string }
  | { type: 'EndSessions'; adminId: string; sessionIds: readonly string[]; at: string }

/** What a code of the second factor opens for this long. */
const FRESH_MS = 15 * 60_000
/** Concurrent sessions; one more ends the oldest. */
export const SESSIONS_MAX = 50

export interface AdminState {
  readonly passwordId: string | undefined
  /** When the password was last set; earlier sessions have ended. */
  readonly passwordSetAt: string | undefined
  /** It replaced the one of the first start. */
  readonly isOwnPassword: boolean
  /** The second factor that a login needs; undefined if none. */
  readonly factorId: string | undefined
  readonly sessions: readonly StaffSession[]
}

interface StaffSession {
  readonly sessionId: string
  readonly startedAt: string
  readonly expiresAt: string
  /** When its owner last gave a code of the second factor. */
  readonly confirmedAt: string | undefined
}

const initial: AdminState = {
  passwordId: undefined,
  passwordSetAt: undefined,
  isOwnPassword: false,
  factorId: undefined,
  sessions: [],
}

export function hasSession(admin: AdminState, sessionId: string, now: string): boolean {
  return admin.sessions.some((session) => session.sessionId === sessionId && session.expiresAt > now)
}

/** Whether a session may do what needs a code: its owner gave one lately, or none is required. */
export function isFresh(admin: AdminState, sessionId: string, now: string): boolean {
  if (admin.factorId === undefined) return true
  const confirmedAt = admin.sessions.find((session) => session.sessionId === sessionId)?.confirmedAt
  return confirmedAt !== undefined && Date.parse(now) - Date.parse(confirmedAt) < FRESH_MS
}

function decide(command: AdminCommand, admin: AdminState): AdminEvent[] {
  const { adminId, at } = command
  switch (command.type) {
    case 'SetPassword':
      if (admin.passwordId === command.passwordId) return []
      if (admin.passwordId !== command.replaces)
        throw new Refusal('admin/wrong-password', 'The password was changed by somebody else just now.')
      return [{ type: 'AdminPasswordSet', data: { adminId, passwordId: command.passwordId, at } }]
    case 'RequireSecondFactor':
      if (admin.factorId === command.factorId) return []
      if (admin.factorId !== undefined)
        throw new Refusal('admin/second-factor-on', 'Login codes are on already. Turn them off first.')
      return [{ type: 'SecondFactorRequired', data: { adminId, factorId: command.factorId, at } }]
    case 'RemoveSecondFactor':
      if (admin.factorId !== command.factorId) return []
      return [{ type: 'SecondFactorRemoved', data: { adminId, factorId: command.factorId, at } }]
    case 'StartSession': {
      const { sessionId, passwordId, factorId, isNewBrowser, expiresAt } = command
      if (admin.sessions.some((session) => session.sessionId === sessionId)) return []
      // Either may have been changed since it was checked.
      if (admin.passwordId !== passwordId || admin.factorId !== factorId)
        throw new Refusal('admin/wrong-credentials', 'Login failed. Please check your credentials.')
      return [{ type: 'SessionStarted', data: { adminId, sessionId, isNewBrowser, expiresAt, at } }]
    }
    case 'ConfirmSession': {
      const { sessionId } = command
      const session = admin.sessions.find((one) => one.sessionId === sessionId)
      if (!session || session.confirmedAt === at) return []
      return [{ type: 'SessionConfirmed', data: { adminId, sessionId, at } }]
    }
    case 'EndSessions':
      return admin.sessions
        .filter(({ sessionId }) => command.sessionIds.includes(sessionId))
        .map(({ sessionId }) => ({ type: 'SessionEnded', data: { adminId, sessionId, at } }))
  }
}

function evolve(admin: AdminState, event: AdminEvent): AdminState {
  switch (event.type) {
    case 'AdminPasswordSet':
      return {
        ...admin,
        passwordId: event.data.passwordId,
        passwordSetAt: event.data.at,
        isOwnPassword: admin.passwordId !== undefined,
        sessions: [],
      }
    case 'SecondFactorRequired':
      return { ...admin, factorId: event.data.factorId }
    case 'SecondFactorRemoved':
      return { ...admin, factorId: undefined, sessions: [] }
    case 'SessionStarted': {
      const { sessionId, expiresAt, at } = event.data
      const running = admin.sessions.filter((session) => session.expiresAt > at)
      const confirmedAt = admin.factorId === undefined ? undefined : at
      const session = { sessionId, startedAt: at, expiresAt, confirmedAt }
      return { ...admin, sessions: [...running, session].slice(-SESSIONS_MAX) }
    }
    case 'SessionConfirmed': {
      const { sessionId, at } = event.data
      const confirmed = (session: StaffSession): StaffSession =>
        session.sessionId === sessionId ? { ...session, confirmedAt: at } : session
      return { ...admin, sessions: admin.sessions.map(confirmed) }
    }
    case 'SessionEnded':
      return { ...admin, sessions: admin.sessions.filter(({ sessionId }) => sessionId !== event.data.sessionId) }
  }
}

export const admin: Decider<AdminCommand, AdminState, AdminEvent> = { initial, decide, evolve }
