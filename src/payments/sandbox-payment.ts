import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import { methodRows, type PaymentMethod } from '../domain/payment-methods.ts'
import { divideUp } from './payment-amounts.ts'
import { PaymentRejected, type PaymentReport } from './payment-provider.ts'

const plays = ['pay', 'fail', 'short', 'over', 'late', 'slow', 'cancel'] as const
export type Play = (typeof plays)[number]

/** Everything that the sandbox knows of a payment: it is encoded in the id, and nothing is stored. */
export interface SandboxPayment {
  readonly method: PaymentMethod
  readonly play: Play
  readonly startedMs: number
  /** In the smallest unit of the currency. */
  readonly units: bigint
  /** In lower case. */
  readonly currency: string
  /** Distinguishes payments that are otherwise equal. */
  readonly referenceHash: string
}

interface SandboxTimes {
  /** From the start until the money arrives. */
  readonly delayMs: number
  /** The same for `late`. */
  readonly lateMs: number
}

export interface SandboxProgress {
  readonly status: PaymentReport['status']
  /** On its way or arrived. */
  readonly seenUnits: bigint
  readonly arrivedUnits: bigint
}

const SLOW_MS = 30_000
const REST_MS = 60_000
const REFERENCE_HASH_LENGTH = 16
const TAG_LENGTH = 24

/** What the payer will do, by the chat name: `sandbox-fail`, `sandbox-fail-2` ...; any other name pays. */
export function playFor(customerName: string): Play {
  const word = /^sandbox-([a-z]+)/.exec(customerName.trim().toLowerCase())?.[1] ?? ''
  return plays.find((play) => word.startsWith(play)) ?? 'pay'
}

export function referenceHash(reference: string): string {
  return hash('sha256', reference, 'hex').slice(0, REFERENCE_HASH_LENGTH)
}

/** The payment's id, signed: lower-case letters, digits and dashes. */
export function idOf(payment: SandboxPayment, secret: Uint8Array): string {
  const { method, play, startedMs, units, currency, referenceHash } = payment
  const facts = ['sandbox', method, play, startedMs.toString(36), units.toString(36), currency, referenceHash]
  return signed(facts.join('-'), secret)
}

/** Throws `PaymentRejected` for an id that was not issued under this secret for this method. */
export function paymentOf(id: string, method: PaymentMethod, secret: Uint8Array): SandboxPayment {
  const facts = id.slice(0, Math.max(id.lastIndexOf('-'), 0))
  if (!isSameText(signed(facts, secret), id)) throw unknownPayment()
  const [, methodWord, playWord, started = '', amount = '', currency = '', referenceHash = ''] = facts.split('-')
  const play = plays.find((known) => known === playWord)
  if (methodWord !== method || !play) throw unknownPayment()
  return { method, play, startedMs: Number.parseInt(started, 36), units: unitsFrom(amount), currency, referenceHash }
}

/** Pseudorandom, the same for the same text. */
export function derivedHex(text: string, secret: Uint8Array): string {
  return createHmac('sha256', secret).update(text).digest('hex')
}

/** A payment's progress, by the elapsed time alone. */
export function progressOf(payment: SandboxPayment, elapsedMs: number, times: SandboxTimes): SandboxProgress {
  const { play, units } = payment
  const { delayMs, lateMs } = times
  if (elapsedMs < delayMs) {
    // Coins are seen on their chain before they are confirmed.
    const isSeen = payment.method === 'crypto' && play === 'pay' && elapsedMs * 2 >= delayMs
    return isSeen ? confirming(units) : nothing('waiting')
  }
  switch (play) {
    case 'pay':
      return received(units)
    case 'fail':
      return nothing('failed')
    case 'cancel':
      return nothing('cancelled')
    case 'over':
      return received(units + divideUp(units, 10n))
    case 'late':
      return elapsedMs < lateMs ? nothing('expired') : received(units)
    case 'slow':
      return elapsedMs < delayMs + SLOW_MS ? confirming(units) : received(units)
    case 'short': {
      const half = divideUp(units, 2n)
      const isToppedUp = methodRows[payment.method].isToppedUp && elapsedMs >= delayMs + REST_MS
      return isToppedUp ? received(units) : { status: 'partially_paid', seenUnits: half, arrivedUnits: half }
    }
  }
}

function nothing(status: PaymentReport['status']): SandboxProgress {
  return { status, seenUnits: 0n, arrivedUnits: 0n }
}

function confirming(units: bigint): SandboxProgress {
  return { status: 'confirming', seenUnits: units, arrivedUnits: 0n }
}

function received(units: bigint): SandboxProgress {
  return { status: 'received', seenUnits: units, arrivedUnits: units }
}

function signed(facts: string, secret: Uint8Array): string {
  return `${facts}-${derivedHex(facts, secret).slice(0, TAG_LENGTH)}`
}

function unitsFrom(base36: string): bigint {
  let units = 0n
  for (const digit of base36) units = units * 36n + BigInt(Number.parseInt(digit, 36))
  return units
}

function isSameText(left: string, right: string): boolean {
  const [leftBytes, rightBytes] = [Buffer.from(left), Buffer.from(right)]
  return leftBytes.length === rightBytes.length && timingSafeEqual(leftBytes, rightBytes)
}

function unknownPayment(): PaymentRejected {
  return new PaymentRejected('unknown payment')
}
