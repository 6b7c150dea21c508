/** What a buyer sends for one order of this many millions, at the spec's prices. */
export function orderBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    customerEmail: 'ash@example.com',
    discordUsername: 'ash',
    marketId: '12345678',
    pokecoinAmount: 50,
    totalAmount: '2.25',
    ...changes,
  }
}
