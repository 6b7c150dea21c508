import { inr, usd } from '#money'
import { paiseOf } from '#pricing'

export { inr, millions, usd } from '#money'

const dollars = { style: 'currency', currency: 'USD' } as const
const unitDollars = new Intl.NumberFormat('en-US', { ...dollars, maximumFractionDigits: 4 })
const exactUnitDollars = new Intl.NumberFormat('en-US', { ...dollars, minimumFractionDigits: 4 })
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const toTheMinute = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const
const moment = new Intl.DateTimeFormat('en-GB', toTheMinute)
const momentOfAYear = new Intl.DateTimeFormat('en-GB', { ...toTheMinute, year: 'numeric' })
const momentInZone = new Intl.DateTimeFormat('en-GB', { ...toTheMinute, year: 'numeric', timeZoneName: 'short' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })

/** The price of one million coins, with up to four decimals. */
export function unitUsd(tenThousandths: number): string {
  return unitDollars.format(tenThousandths / 10_000)
}

/** The price of one million coins in rupees. */
export function unitInr(tenThousandths: number, inrPerUsd: number): string {
  return inr(paiseOf(tenThousandths, paisePerUsd(inrPerUsd)) / 100)
}

/** The price of one million coins with four decimals, for a column of figures. */
export function exactUnitUsd(tenThousandths: number): string {
  return exactUnitDollars.format(tenThousandths / 10_000)
}

/** An amount of the API in its currency. Coins have more decimals than money and stay as they are. */
export function money({ amount, currency }: { amount: string; currency: string }): string {
  const code = currency.toUpperCase()
  if (code === 'USD') return usd(centsOf(amount))
  return code === 'INR' ? inr(centsOf(amount)) : `${amount} ${code}`
}

export function count(value: number): string {
  return whole.format(value)
}

/** Paise per dollar, for the price formula. */
function paisePerUsd(inrPerUsd: number): number {
  return Math.round(inrPerUsd * 100)
}

export function inrOf(cents: number, inrPerUsd: number): string {
  return inr(paiseOf(cents, paisePerUsd(inrPerUsd)))
}

/** Cents of an amount in dollars or rupees; the server sends two decimals. */
export function centsOf(amount: string | number): number {
  return Math.round(Number(amount) * 100)
}

/** Shows the year only if it is not the current one. */
export function time(iso: string, now = new Date()): string {
  const at = new Date(iso)
  return (at.getFullYear() === now.getFullYear() ? moment : momentOfAYear).format(at)
}

/** `31 Jan 2026, 14:05 CET`. */
export function timeInZone(iso: string): string {
  return momentInZone.format(new Date(iso))
}

export function date(at: Date): string {
  return day.format(at)
}

/** `4 min 05 s`, or `35 s` in the last minute. */
export function duration(seconds: number): string {
  const left = Math.max(0, Math.floor(seconds))
  if (left < 60) return `${left} s`
  return `${Math.floor(left / 60)} min ${String(left % 60).padStart(2, '0')} s`
}
