import type { BlockKind } from '../words.ts'

/* One spelling of an e-mail or name, for blocking alone: two people may share it, so it is never anyone's identity. */

/** Mail hosts that deliver `name+tag` to `name`. */
const tagged = new Set([
  'gmail.com',
  'outlook.com',
  'hotmail.com',
  'live.com',
  'icloud.com',
  'proton.me',
  'fastmail.com',
])
/** Other names of a host's mailboxes. */
const renamed: Readonly<Record<string, string>> = {
  'googlemail.com': 'gmail.com',
  'me.com': 'icloud.com',
  'mac.com': 'icloud.com',
  'protonmail.com': 'proton.me',
  'pm.me': 'proton.me',
}

const spellings: Readonly<Record<BlockKind, (text: string) => string>> = { email, name: folded, payer: folded }

export function blockSpelling(kind: BlockKind, text: string): string {
  return spellings[kind](text)
}

function folded(text: string): string {
  return text.trim().toLowerCase().normalize('NFC')
}

function email(text: string): string {
  const address = folded(text)
  const at = address.lastIndexOf('@')
  const [name, host] = [address.slice(0, at), address.slice(at + 1)]
  const known = renamed[host] ?? host
  const mailbox = tagged.has(known) ? name.replace(/(?<=.)\+.*/, '') : name
  return `${known === 'gmail.com' ? mailbox.replaceAll('.', '') : mailbox}@${known}`
}
