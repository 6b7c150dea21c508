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
    lostEvents === 0 ? 'neither vault nor views know how much' : `vault or views know of ${lostEvents} events`
  const lines = [
    `Restored: the log up to position ${Number(head)} with ${orders} orders; its newest event is of ${new Date(recordedAt).toISOString()}.`,
    `Lost: what came after the copy (${known}), orders, payments and erasures among it. Its order numbers are not given again.`,
    ...(lostCustomers === 0
      ? []
      : [`${lostCustomers} customers whom the vault does not know count as erased from now on.`]),
    'Start the shop: the views are built again. Then look for payments of that time at the providers, and erase again who was erased since.',
  ]
  say(lines.join('\n'))
}
