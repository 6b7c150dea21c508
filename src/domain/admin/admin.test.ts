import { describe, expect, it } from 'vitest'
import { fold } from '../decider.ts'
import { examplesOf } from '../testing/examples.ts'
import { admin, hasSession, isFresh, SESSIONS_MAX } from './admin.ts'
import type { AdminEvent } from './events.ts'

const { emits, ignores, refuses } = examplesOf(admin)

const adminId = 'owner'
const at = '2026-03-01T12:00:00.000Z'
const noon = (day: number) => `2026-03-${String(day).padStart(2, '0')}T12:00:00.000Z`

const passwordSet = (passwordId: string, when = at): AdminEvent => ({
  type: 'AdminPasswordSet',
  data: { adminId, passwordId, at: when },
})
const sessionStarted = (sessionId: string, expiresAt = noon(2), when = at): AdminEvent => ({
  type: 'SessionStarted',
  data: { adminId, sessionId, isNewBrowser: true, expiresAt, at: when },
})
const sessionEnded = (sessionId: string): AdminEvent => ({ type: 'SessionEnded', data: { adminId, sessionId, at } })

const setPassword = (passwordId: string, replaces: string | undefined) =>
  ({ type: 'SetPassword', adminId, passwordId, replaces, at }) as const
const startSession = (sessionId: string, passwordId: string, factorId?: string) =>
  ({
    type: 'StartSession',
    adminId,
    sessionId,
    passwordId,
    factorId,
    isNewBrowser: true,
    expiresAt: noon(2),
    at,
  }) as const
const required = (factorId: string): AdminEvent => ({ type: 'SecondFactorRequired', data: { adminId, factorId, at } })
const removed = (factorId: string): AdminEvent => ({ type: 'SecondFactorRemoved', data: { adminId, factorId, at } })
const require = (factorId: string) => ({ type: 'RequireSecondFactor', adminId, factorId, at }) as const
const remove = (factorId: string) => ({ type: 'RemoveSecondFactor', adminId, factorId, at }) as const
const endSessions = (...sessionIds: string[]) => ({ type: 'EndSessions', adminId, sessionIds, at }) as const

it('the first password of staff is set', () => emits([], setPassword('p1', undefined), passwordSet('p1')))
it('a password replaces the one that was checked', () =>
  emits([passwordSet('p1')], setPassword('p2', 'p1'), passwordSet('p2')))
it('a password never replaces one that was set in the meantime', () => {
  refuses([passwordSet('p1'), passwordSet('p2')], setPassword('p3', 'p1'), 'admin/wrong-password')
  refuses([passwordSet('p1')], setPassword('p2', undefined), 'admin/wrong-password')
})

it('the password of the first start is not the own one of staff', () => {
  expect(fold(admin, [passwordSet('p1')]).isOwnPassword).toBe(false)
  expect(fold(admin, [passwordSet('p1'), passwordSet('p2')]).isOwnPassword).toBe(true)
})

it('a new password ends every session', () => {
  const after = fold(admin, [passwordSet('p1'), sessionStarted('s1'), passwordSet('p2', noon(1))])
  expect(after).toStrictEqual({
    passwordId: 'p2',
    passwordSetAt: noon(1),
    isOwnPassword: true,
    factorId: undefined,
    sessions: [],
  })
})

const fresh = (history: AdminEvent[], now: string) => isFresh(fold(admin, history), 's1', now)
const later = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString()

describe('a second factor', () => {
  const on = [passwordSet('p1'), required('f1')]

  it('one is required once', () => {
    emits([passwordSet('p1')], require('f1'), required('f1'))
    ignores(on, require('f1'))
  })
  it('another never replaces it', () => refuses(on, require('f2'), 'admin/second-factor-on'))
  it('only the one that is required is removed', () => {
    emits(on, remove('f1'), removed('f1'))
    ignores(on, remove('f2'))
    ignores([...on, removed('f1')], remove('f1'))
  })
  it('a session starts only with the one that was checked', () => {
    emits(on, startSession('s1', 'p1', 'f1'), sessionStarted('s1'))
    refuses(on, startSession('s1', 'p1'), 'admin/wrong-credentials')
    refuses([...on, removed('f1')], startSession('s1', 'p1', 'f1'), 'admin/wrong-credentials')
  })
  it('a session is fresh for 15 minutes after its code, and always where none is required', () => {
    const confirmed: AdminEvent = { type: 'SessionConfirmed', data: { adminId, sessionId: 's1', at: noon(2) } }
    const signedIn = [...on, sessionStarted('s1', noon(3))]
    expect([899_999, 900_000].map((ms) => fresh(signedIn, later(at, ms)))).toEqual([true, false])
    expect([899_999, 900_000].map((ms) => fresh([...signedIn, confirmed], later(noon(2), ms)))).toEqual([true, false])
    expect(fresh([passwordSet('p1'), sessionStarted('s1')], noon(1))).toBe(true)
    // Codes were turned on after this login.
    expect(fresh([passwordSet('p1'), sessionStarted('s1'), required('f1')], at)).toBe(false)
    emits(signedIn, { type: 'ConfirmSession', adminId, sessionId: 's1', at: noon(2) }, confirmed)
    ignores(on, { type: 'ConfirmSession', adminId, sessionId: 's1', at: noon(2) })
  })
  it('a new password keeps it, and its end ends every session', () => {
    expect(fold(admin, [...on, passwordSet('p2')]).factorId).toBe('f1')
    expect(fold(admin, [...on, sessionStarted('s1')]).sessions).toHaveLength(1)
    expect(fold(admin, [...on, sessionStarted('s1'), removed('f1')]).sessions).toEqual([])
  })
})

describe('a session of staff', () => {
  const signedIn = [passwordSet('p1'), sessionStarted('s1')]

  it('a session starts under the current password', () =>
    emits([passwordSet('p1')], startSession('s1', 'p1'), sessionStarted('s1')))
  it('a session does not start under a password that was changed in the meantime', () => {
    refuses([passwordSet('p1'), passwordSet('p2')], startSession('s1', 'p1'), 'admin/wrong-credentials')
    refuses([], startSession('s1', 'p1'), 'admin/wrong-credentials')
  })
  it('logging out ends a session', () => emits(signedIn, endSessions('s1'), sessionEnded('s1')))
  it('several sessions end together, and one that has ended stays so', () => {
    const three = [passwordSet('p1'), ...['s1', 's2', 's3'].map((id) => sessionStarted(id))]
    emits(three, endSessions('s3', 's1', 's4'), sessionEnded('s1'), sessionEnded('s3'))
    ignores([...three, sessionEnded('s1')], endSessions('s1'))
  })
  it('a session is valid until it expires, and an unknown session never is', () => {
    const state = fold(admin, signedIn)
    expect(hasSession(state, 's1', noon(1))).toBe(true)
    expect(hasSession(state, 's1', noon(2))).toBe(false)
    expect(hasSession(state, 's2', noon(1))).toBe(false)
    expect(hasSession(fold(admin, [...signedIn, sessionEnded('s1')]), 's1', noon(1))).toBe(false)
  })
  it('an expired session is forgotten when another starts', () =>
    expect(fold(admin, [...signedIn, sessionStarted('s2', noon(4), noon(3))]).sessions).toStrictEqual([
      { sessionId: 's2', startedAt: noon(3), expiresAt: noon(4), confirmedAt: undefined },
    ]))
  it('the oldest session ends when there are too many', () => {
    const many = Array.from({ length: SESSIONS_MAX + 1 }, (_, index) => sessionStarted(`s${index}`))
    const { sessions } = fold(admin, [passwordSet('p1'), ...many])
    expect(sessions).toHaveLength(SESSIONS_MAX)
    expect(sessions[0]?.sessionId).toBe('s1')
  })
})
