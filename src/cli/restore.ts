import { parseConfig } from '../config.ts'
import { restoreCopy } from './backup/restore-copy.ts'
import { say } from './lines.ts'
import { progressOn } from './progress.ts'

interface RestoreOptions {
  readonly from: string
  readonly vaultFrom?: string
  readonly acceptLostCustomers?: boolean
}

export async function restore({ from, vaultFrom, acceptLostCustomers = false }: RestoreOptions): Promise<void> {
  const config = parseConfig(process.env)
  const progress = progressOn()
  const folders = { from, vaultFrom, mayLoseCustomers: acceptLostCustomers }
  const { head, recordedAt, orders, lostEvents, lostCustomers } = await restoreCopy(config, folders, progress.show)
  progress.clear()
  const known =
    lostEvents === 0 ? 'vault and views do not know how much' : `vault or views know of ${lostEvents} events`
  const lines = [
    `Restored: the log up to position ${Number(head)} with ${orders} orders; its newest event is of ${new Date(recordedAt).toISOString()}.`,
    `Lost: everything after the copy (${known}), including orders, payments and erasures. Its order numbers are not assigned again.`,
    ...(lostCustomers === 0
      ? []
      : [`${lostCustomers} customers are unknown to the vault, and count as erased from now on.`]),
    'Messages are off: npm run shop -- admin messages on sends them again, or the settings do.',
    'Start the shop: it rebuilds the views. Then check each provider for payments since the copy, and repeat every erasure since then.',
  ]
  say(lines.join('\n'))
}
