import type { LoginRequest, LoginResponse, PasswordChange, VerifyResponse } from '#contract/admin.ts'
import type { Done } from '#contract/order.ts'
import { useSyncExternalStore } from 'react'
import { mutate } from 'swr'
import { store } from '../lib/store.ts'
import { ApiError, get, listenToRefusals, post, setStaffToken } from './client.ts'
import { productsKey } from './products.ts'

export type StaffSession =
  | { readonly is: 'unknown' }
  | { readonly is: 'unreachable'; readonly error: unknown }
  | { readonly is: 'in' }
  | { readonly is: 'out'; readonly because: 'never-in' | 'logged-out' | 'ended' | 'password-changed' | 'own-change' }

const session = store<StaffSession>({ is: 'unknown' })
let checking: Promise<void> | undefined

function become(next: StaffSession): void {
  if (next.is === 'out') {
    setStaffToken(undefined)
    forgetStaffAnswers()
  }
  session.set(next)
}

export function useStaffSession(): StaffSession {
  return useSyncExternalStore(session.subscribe, session.get)
}

/** False while the session is unknown: closing the overlay ends no session. */
export function isLoggedOut(): boolean {
  return session.get().is === 'out'
}

/** Asks the server for the session, since a reload keeps only its cookie. */
export function checkSession(): void {
  become({ is: 'unknown' })
  void ask('never-in')
}

/** The overlay checks the session when it is opened again. */
export function leaveSession(): void {
  become({ is: 'unknown' })
}

type Known = 'never-in' | 'ended' | 'password-changed'

async function ask(known: Known): Promise<void> {
  checking ??= verify(known).finally(() => (checking = undefined))
  return checking
}

async function verify(known: Known): Promise<void> {
  try {
    const { authenticated } = await get<VerifyResponse>('/api/admin/verify')
    if (authenticated) become({ is: 'in' })
    else become({ is: 'out', because: known })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) become({ is: 'unreachable', error })
    else if (isPasswordChange(error)) become({ is: 'out', because: 'password-changed' })
    else become({ is: 'out', because: known === 'never-in' ? 'ended' : known })
  }
}

// Any call may find that the session has ended. The cookie may hold a newer session of another tab.
listenToRefusals((error) => {
  if (error.code !== 'admin/not-signed-in' || session.get().is !== 'in') return
  setStaffToken(undefined)
  void ask(isPasswordChange(error) ? 'password-changed' : 'ended')
})

function isPasswordChange(error: ApiError): boolean {
  return error.problem['passwordChanged'] === true
}

export async function logIn(credentials: LoginRequest): Promise<LoginResponse> {
  const answer = await post<LoginResponse>('/api/admin/login', credentials)
  if (answer.success) {
    setStaffToken(answer.token)
    become({ is: 'in' })
  }
  return answer
}

export async function logOut(): Promise<void> {
  await post('/api/admin/logout', {})
  become({ is: 'out', because: 'logged-out' })
}

/** Ends every session, including this one. */
export async function changePassword(change: PasswordChange): Promise<Done> {
  const answer = await post<Done>('/api/admin/password', change)
  become({ is: 'out', because: 'own-change' })
  return answer
}

export function isStaffKey(key: unknown): key is string {
  return typeof key === 'string' && (key.startsWith('/api/orders') || key.startsWith('/api/admin/'))
}

/** The next user of this browser must not see cached staff data. */
function forgetStaffAnswers(): void {
  void mutate(isSeenByStaff, undefined, { revalidate: false })
}

function isSeenByStaff(key: unknown): boolean {
  return isStaffKey(key) || key === productsKey
}
