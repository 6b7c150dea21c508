import type { Logger } from 'pino'
import { channelsOf, waysOf } from '../messages/ways.ts'
import { inTime } from '../ports/in-time.ts'
import { namedLine } from '../ports/one-line.ts'
import type { Views } from '../projections/shop-views.ts'
import type { CommandContext } from '../shop/command-context.ts'
import type { Messages } from '../shop/message-notes.ts'
import { mailSender } from '../shop/shop-facts.ts'
import { messenger } from '../workers/messenger.ts'
import { levelOf } from './log-level.ts'
import type { Engines } from './shop-engines.ts'
import { GRACE_MS, type Stop } from './stops.ts'

/** Opens the ways to reach people. */
export function openMessages(context: CommandContext, { logId }: Pick<Engines, 'logId'>, stops: Stop[]): Messages {
  const { config, clock } = context
  const ways = waysOf(config, { now: () => clock.now(), sender: () => mailSender(context) })
  const stop = async (): Promise<unknown> => Promise.all(ways.map(async (way) => way.close()))
  stops.push({ phase: 'engines', name: 'the ways to reach people', stop })
  return { logId, ways }
}

/** Sends messages while no other process does; nothing where no way is set. */
export function startMessenger(
  context: CommandContext,
  {
    logId,
    ways,
    views,
    logger,
    stops,
  }: Messages & { readonly views: Views; readonly logger: Logger; readonly stops: Stop[] },
): void {
  const channels = channelsOf(ways, context.config)
  if (channels.length === 0) return
  const sender = messenger({
    context,
    logId,
    views,
    channels,
    owner: context.random.uuid(),
    elapsed: () => performance.now(),
    onTrouble: (error, channel) =>
      logger[levelOf(error)]({ channel, error: namedLine(error) }, 'messages cannot be sent now'),
    onOff: (why) => logger.warn({ why }, 'no messages are sent: see the settings, or docs/notifications.md'),
  })
  sender.start()
  stops.push({ phase: 'work', name: 'sending messages', stop: () => inTime(sender.stop(), GRACE_MS, undefined) })
}
