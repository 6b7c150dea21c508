import { parseConfig } from '../config.ts'
import { restoreCopy } from './backup/restore-copy.ts'
import { flag, runCommand, text, UsageError } from './command-line.ts'
import { progressOn } from './progress.ts'

await runCommand({
  name: 'restore',
  does: 'puts what npm run backup has copied into an empty DATA_DIR',
  options: {
    from: text('DIR', 'the folder with the copy of the log'),
    'vault-from': text('DIR', 'the folder with the copy of the vault'),
    'accept-lost-customers': flag('takes an older vault: whom it does not know counts as erased'),
  },
  notes: `Every process of the shop must be stopped, and its other engines (MONGODB_URL, VAULT_URL) be there. What came after the copy is recorded as lost,
and its order numbers are never given again. The copies are only read. With VAULT_URL only the log is restored, and the vault by mongorestore before.

Exit codes: 0 restored, 1 not restored, 2 wrong usage.`,
  async run({ from, 'vault-from': vaultFrom, 'accept-lost-customers': mayLoseCustomers = false }) {
    if (from === undefined) throw new UsageError('--from is missing: the folder with the copy of the log')
    const config = parseConfig(process.env)
    const progress = progressOn()
    const folders = { from, vaultFrom, mayLoseCustomers }
    const { copy, orders, lostEvents, unknownCustomers } = await restoreCopy(config, folders, (text) =>
      progress.show(text),
    )
    progress.clear()
    const known =
      lostEvents === 0 ? 'neither vault nor views know how much' : `vault or views know of ${lostEvents} events`
    const lines = [
      `Restored: the log up to position ${Number(copy.logHead)} with ${orders} orders, as of ${copy.begunAt}.`,
      `Lost: what came after the copy (${known}), orders, payments and erasures among it. Its order numbers are not given again.`,
      ...(unknownCustomers === 0
        ? []
        : [`${unknownCustomers} customers whom the vault does not know count as erased from now on.`]),
      'Start the shop: the views are built again. Then look for payments of that time at the providers, and erase again who was erased since.',
    ]
    process.stdout.write(`${lines.join('\n')}\n`)
    return 0
  },
})
