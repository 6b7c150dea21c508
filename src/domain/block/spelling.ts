import type { BlockKind } from '../words.ts'

/** Mail hosts that deliver `name+tag` to `name`. */
const tagged = /@(gmail|googlemail|outlook|hotmail|live|icloud|fastmail)\.com$|@(proton\.me|protonmail\.com)$/

/** One spelling of an e-mail or name. For blocking alone: two people may share it, so it is never anyone's identity. */
export function blockSpelling(kind: BlockKind, text: string): string {
  const folded = text.trim().toLowerCase().normalize('NFC')
  if (kind !== 'email' || !tagged.test(folded)) return folded
  const untagged = folded.replace(/(?<=.)\+.*@/, '@')
  const [, gmail] = /^(.*)@(gmail|googlemail)\.com$/.exec(untagged) ?? []
  return gmail === undefined ? untagged : `${gmail.replaceAll('.', '')}@gmail.com`
}
