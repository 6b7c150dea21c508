import type {
  LoginRequest,
  LoginResponse,
  PasswordChange,
  RecoveryCodes,
  SecondFactorSecret,
  VerifyResponse,
} from '#contract/admin.ts'
import type { Done } from '#contract/order.ts'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { mutate } from 'swr'
import { store } from '../lib/store.ts'
import { ApiError, get, listenToCodeNeeded, listenToRefusals, post, setStaffToken } from './client.ts'
import { productsKey } from './settings.ts'
import { listenToSessionOver } from './updates.ts'

export type StaffSession =
  | { readonly is: 'unknown' }
  | { readonly is: 'unreachable'; readonly error: unknown }
  | { readonly is: 'in' }
  | { readonly is: 'out'; readonly because: 'never-in' | 'logged-out' | 'ended' | 'password-changed' | 'own-change' }

const session = store<StaffSession>({ is: 'unknown' })
/** Answers whether the code that a call waits for was given. */
const codeAsked = store<((isGiven: boolean) => void) | undefined>(undefined)
let asking: Promise<boolean> | undefined
/** What staff have typed and not saved, by form. It outlives a session that ends by itself, no logout and no reload. */
const unsent = new Map<string, unknown>()
let checking: Promise<void> | undefined
/** Tabs of this browser share a session, which may end in one of them. */
const otherTabs =
  'BroadcastChannel' in globalThis && !import.meta.env.SSR ? new BroadcastChannel('coinshop staff') : undefined

function setSession(next: StaffSession): void {
  if (next.is === 'out') {
    if (session.get().is === 'in') otherTabs?.postMessage('over')
    setStaffToken(undefined)
    forgetStaffData()
    codeAsked.get()?.(false)
    if (!isCutOff(next)) unsent.clear()
  }
  session.set(next)
}

function isCutOff(now: StaffSession): boolean {
  if (now.is === 'out') return now.because === 'ended' || now.because === 'password-changed'
  return now.is === 'unreachable'
}

/** What is typed in a form; there again once staff are back, if the form was cut off by the end of their session. */
export function useUnsent<Typed extends object>(form: string) {
  const [typed, setTyped] = useState(() => unsent.get(form) as Typed | undefined)
  // A form that is left, rather than cut off, starts anew.
  useEffect(() => () => void (isCutOff(session.get()) || unsent.delete(form)), [form])
  const change = (to: Typed | undefined | ((now: Typed | undefined) => Typed | undefined)) => {
    const next = typeof to === 'function' ? to(unsent.get(form) as Typed | undefined) : to
    if (next === undefined) unsent.delete(form)
    else unsent.set(form, next)
    setTyped(next)
  }
  return [typed, change] as const
}

/** Whether this form was cut off. */
export function hasUnsent(form: string): boolean {
  return unsent.has(form)
}

export function useStaffSession(): StaffSession {
  return useSyncExternalStore(session.subscribe, session.get, session.get)
}

/** False while the session is unknown: closing the overlay ends no session. */
export function isLoggedOut(): boolean {
  return session.get().is === 'out'
}

/** Asks the server for the session, since a reload keeps only its cookie. */
export function checkSession(): void {
  setSession({ is: 'unknown' })
  void check('never-in')
}

/** For closing the overlay, which checks the session when it is opened again. */
export function leaveSession(): void {
  setSession({ is: 'unknown' })
}

type Reason = 'never-in' | 'ended' | 'password-changed'

async function check(reason: Reason): Promise<void> {
  checking ??= verify(reason).finally(() => (checking = undefined))
  return checking
}

async function verify(reason: Reason): Promise<void> {
  try {
    const { authenticated } = await get<VerifyResponse>('/api/admin/verify')
    setSession(authenticated ? { is: 'in' } : { is: 'out', because: reason })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) setSession({ is: 'unreachable', error })
    else if (isPasswordChange(error)) setSession({ is: 'out', because: 'password-changed' })
    else setSession({ is: 'out', because: reason === 'never-in' ? 'ended' : reason })
  }
}

// Any call may find that the session has ended. Check again: the cookie may hold a newer session of another tab.
listenToRefusals((error) => {
  if (error.code !== 'admin/not-signed-in' || session.get().is !== 'in') return
  setStaffToken(undefined)
  void check(isPasswordChange(error) ? 'password-changed' : 'ended')
})

listenToCodeNeeded(async () => {
  asking ??= new Promise<boolean>((resolve) => codeAsked.set(resolve)).finally(() => {
    asking = undefined
    codeAsked.set(undefined)
  })
  return asking
})

export function useCodeAsked() {
  return useSyncExternalStore(codeAsked.subscribe, codeAsked.get)
}

/** For 15 minutes, the session may do what needs a code. */
export async function confirmSession(code: string): Promise<void> {
  await post('/api/admin/second-factor', { code })
}

/** This tab ends the session itself, and says so. */
let isLeaving = false

function checkAgain(): void {
  if (session.get().is === 'in' && !isLeaving) void check('ended')
}

async function leaving<T>(leave: () => Promise<T>, because: 'logged-out' | 'own-change'): Promise<T> {
  isLeaving = true
  try {
    const response = await leave()
    setSession({ is: 'out', because })
    return response
  } finally {
    isLeaving = false
  }
}

listenToSessionOver(checkAgain)
otherTabs?.addEventListener('message', checkAgain)

/** A hidden tab has no push connection: it shows buyers' data again only after the shop was asked. */
function coverWhileHidden(): void {
  const page = document.documentElement
  if (document.visibilityState === 'hidden') page.toggleAttribute('data-covered', session.get().is === 'in')
  else if (page.hasAttribute('data-covered')) void check('ended').finally(() => page.removeAttribute('data-covered'))
}
if (!import.meta.env.SSR) document.addEventListener('visibilitychange', coverWhileHidden)

function isPasswordChange(error: ApiError): boolean {
  return error.problem['passwordChanged'] === true
}

export async function logIn(credentials: LoginRequest): Promise<LoginResponse> {
  const response = await post<LoginResponse>('/api/admin/login', credentials)
  if (response.success) {
    setStaffToken(response.token)
    setSession({ is: 'in' })
  }
  return response
}

export async function logOut(): Promise<void> {
  await leaving(async () => post('/api/admin/logout', {}), 'logged-out')
}

/** Ends every session, including this one. */
export async function changePassword(change: PasswordChange): Promise<Done> {
  return leaving(async () => post<Done>('/api/admin/password', change), 'own-change')
}

export async function startSecondFactor(currentPassword: string): Promise<SecondFactorSecret> {
  return post('/api/admin/second-factor/start', { currentPassword })
}

export async function turnSecondFactorOn(confirmation: { factorId: string; code: string }): Promise<RecoveryCodes> {
  return post('/api/admin/second-factor/on', confirmation)
}

/** Ends every session, including this one. */
export async function turnSecondFactorOff(code: string): Promise<Done> {
  return leaving(async () => post<Done>('/api/admin/second-factor/off', { code }), 'logged-out')
}

export function isStaffKey(key: unknown): key is string {
  return typeof key === 'string' && (key.startsWith('/api/orders') || key.startsWith('/api/admin/'))
}

/** The next user of this browser must not see cached staff data. */
function forgetStaffData(): void {
  void mutate((key: unknown) => isStaffKey(key) || key === productsKey, undefined, { revalidate: false })
}
