import { parseConfig } from '../config.ts'
import { backUp } from './backup/back-up.ts'
import { runCommand, text, UsageError } from './command-line.ts'
import { progressOn } from './progress.ts'

await runCommand({
  name: 'backup',
  does: 'copies log and vault, and reads the copies back',
  options: {
    to: text('DIR', 'where the log is copied to: a folder that is empty or not there yet'),
    'vault-to': text('DIR', 'the same for the vault, kept apart: who has both can read every buyer'),
  },
  notes: `The shop may be running: every order that was answered before is in the copy. A folder has a whole copy once it has a manifest.json.
With VAULT_URL only the log is copied, and the vault by mongodump afterwards.

Exit codes: 0 copied and whole, 1 not copied, 2 wrong usage or no shop.`,
  async run({ to, 'vault-to': vaultTo }) {
    if (to === undefined) throw new UsageError('--to is missing: an empty folder for the copy of the log')
    const progress = progressOn()
    const { events, orders, logHead } = await backUp(parseConfig(process.env), { to, vaultTo }, (text) =>
      progress.show(text),
    )
    progress.clear()
    const log = `the log up to position ${Number(logHead)} (${events} events, ${orders} orders) is in ${to}`
    const vault =
      vaultTo === undefined
        ? 'now copy the vault, after the log: mongodump --uri "$VAULT_URL" --gzip --archive=FILE'
        : `the vault in ${vaultTo}`
    process.stdout.write(`Copied and read back: ${log}; ${vault}.\n`)
    return 0
  },
})
