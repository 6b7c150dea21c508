import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

export const WITHOUT_K6 = 'there is no k6: go install go.k6.io/k6@latest'

/** On PATH, or where Go installs it. */
export function k6Program(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), join(homedir(), 'go', 'bin')]
  return folders.map((folder) => join(folder, 'k6')).find((file) => existsSync(file))
}
