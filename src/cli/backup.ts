import { parseConfig } from '../config.ts'
import { backUp } from './backup/back-up.ts'
import { say } from './lines.ts'
import { progressOn } from './progress.ts'

export async function backup({ to, vaultTo }: { to: string; vaultTo?: string }): Promise<void> {
  const progress = progressOn()
  const { events, orders, head } = await backUp(parseConfig(process.env), { to, vaultTo }, progress.show)
  progress.clear()
  const log = `the log up to position ${Number(head)} (${events} events, ${orders} orders) is in ${to}`
  const vault =
    vaultTo === undefined
      ? 'now copy the vault, after the log: mongodump --uri "$VAULT_URL" --gzip --archive=FILE'
      : `the vault in ${vaultTo}`
  say(`Copied and read back: ${log}; ${vault}.`)
}
