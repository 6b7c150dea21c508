import { Refusal } from '../../domain/refusal.ts'

/** Orders are priced in dollars. */
export function assertUsd(currency: string): void {
  if (currency !== 'usd') throw new Refusal('payment/wrong-currency', 'Amounts are given in USD.')
}
