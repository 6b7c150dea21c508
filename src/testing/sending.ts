import { channelsOf } from '../messages/ways.ts'
import { messenger } from '../workers/messenger.ts'
import type { TestShop } from './start-shop.ts'

const TURN_MS = 500
/** Longer than the owner's messages are gathered. */
const TURNS = 10

/** Sends messages of this shop, as its worker would: of what happens from now on, each time the returned function is called. */
export async function sendingFrom({
  context,
  views,
  ways,
  now,
  advance,
  caughtUp,
}: TestShop): Promise<() => Promise<void>> {
  const sender = messenger({
    context,
    views,
    logId: 'test',
    channels: channelsOf(ways, context.config),
    owner: 'test',
    elapsed: now,
    onTrouble: (error) => {
      throw error
    },
    onOff: () => undefined,
  })
  await sender.turn()
  return async () => {
    await caughtUp()
    for (let turn = 0; turn < TURNS; turn += 1) {
      advance(TURN_MS)
      await sender.turn()
    }
  }
}
