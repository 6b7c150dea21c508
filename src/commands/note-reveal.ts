import { SHOP_STREAM } from '../domain/stream-names.ts'
import type { Position } from '../event-store/event-store.ts'
import { AppendConflict } from '../event-store/event-store.ts'
import { callerFor, type Caller, nowText, type Shop } from '../shop/shop.ts'

const TRIES_MAX = 10

/** Records that who the buyers are is taken out of the shop, before any of it is. */
export async function noteReveal(
  shop: Pick<Shop, 'log' | 'clock'>,
  caller: Caller,
  { what, upTo }: { what: 'orders'; upTo: Position },
): Promise<void> {
  const event = { type: 'PersonalDataRevealed', data: { what, upTo, at: nowText(shop) } } as const
  for (let attempt = 1; ; attempt += 1) {
    const { length } = await shop.log.readStream(SHOP_STREAM)
    try {
      await shop.log.append(SHOP_STREAM, length - 1, [{ event, caller: callerFor(caller, `reveal-${attempt}`) }])
      return
    } catch (error) {
      if (!(error instanceof AppendConflict) || attempt === TRIES_MAX) throw error
    }
  }
}
