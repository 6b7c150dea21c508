import { millions } from '../domain/money.ts'
import type { CommandContext } from '../shop/command-context.ts'
import type { AlarmKind } from '../shop/message-notes.ts'
import { calledProviders } from '../shop/providers.ts'

/** A state of the shop. The owner gets a message when it begins and when it ends. */
export interface StateJudgement {
  /** Its name in the vault. */
  readonly kind: string
  /** `unknown`: this process cannot judge it, so the stored state stays. */
  readonly verdict: 'present' | 'over' | 'unknown'
  readonly begins: string
  /** Undefined: nothing is said of its end. */
  readonly ends: string | undefined
}

/** A provider that answers again within this time is not worth a message. */
const AWAY_TOLD_MS = 300_000

/** What this process can judge, from its own calls and reads. */
export function judgeStates({
  hot,
  log,
  providers,
  clock,
}: Pick<CommandContext, 'hot' | 'log' | 'providers' | 'clock'>): StateJudgement[] {
  return [
    ...stockStates(hot.inventory.state.freeM, hot.currentSettings().lowStockM),
    ...calledProviders({ providers }).flatMap(({ provider, health }) => {
      const { awaySince } = health.state()
      const isLong = awaySince !== undefined && clock.now() - awaySince >= AWAY_TOLD_MS
      const { keys } = health
      const isRefusedLong = keys?.areAccepted === false && clock.now() - keys.at >= AWAY_TOLD_MS
      return [
        {
          kind: `away ${provider.name}`,
          verdict: isLong ? 'present' : awaySince === undefined && health.calls.answered > 0 ? 'over' : 'unknown',
          begins: `${provider.name} has not answered for 5 minutes: its payments are noticed late`,
          ends: `${provider.name} answers again`,
        } as const,
        {
          kind: `keys ${provider.name}`,
          verdict: isRefusedLong ? 'present' : keys?.areAccepted === true ? 'over' : 'unknown',
          begins: `${provider.name} refuses the shop's keys: ${keys?.reason ?? 'no reason given'}`,
          ends: `${provider.name} accepts the shop's keys`,
        } as const,
      ]
    }),
    {
      kind: 'damage',
      verdict: log.figures().damagedReads > 0 ? 'present' : 'over',
      begins: 'The log is damaged: stop the shop and run npm run shop -- verify',
      // A process that has met no damage cannot say that there is none.
      ends: undefined,
    },
    {
      kind: 'wrong-codes' satisfies AlarmKind,
      // The login begins it.
      verdict: 'unknown',
      begins:
        'Five wrong login codes after the right password: new browsers cannot log in for 15 minutes. If it was not you, change the password',
      ends: undefined,
    },
  ]
}

function stockStates(freeM: number, lowM: number): StateJudgement[] {
  const left = `${millions(freeM)} left`
  return [
    {
      kind: 'sold-out',
      verdict: freeM <= 0 ? 'present' : 'over',
      begins: 'Sold out',
      ends: `In stock again: ${left}`,
    },
    {
      kind: 'low-stock',
      // Sold out says it already, and is not its end.
      verdict: freeM <= 0 ? 'unknown' : freeM <= lowM ? 'present' : 'over',
      begins: `Low stock: ${left}`,
      ends: `Enough stock again: ${left}`,
    },
  ]
}
