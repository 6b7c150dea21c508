import type { SessionPlace } from '../../shop/session-notes.ts'
import type { Call } from '../http/route.ts'

// Others come after a browser's own word, since most name Chrome and Safari, too.
const browsers = { Edg: 'Edge', OPR: 'Opera', Firefox: 'Firefox', FxiOS: 'Firefox', CriOS: 'Chrome', Chrome: 'Chrome' }
const systems = {
  Android: 'Android',
  iPhone: 'iOS',
  iPad: 'iOS',
  Windows: 'Windows',
  Macintosh: 'macOS',
  Linux: 'Linux',
}

/** Enough for the owner to know a session by: `Firefox on Windows` in a /24 or /48. */
export function placeOf(call: Pick<Call, 'networks' | 'header'>): SessionPlace {
  const agent = call.header('user-agent') ?? ''
  const named = (words: Readonly<Record<string, string>>) =>
    Object.entries(words).find(([word]) => agent.includes(word))
  const names = [named({ ...browsers, Safari: 'Safari' }), named(systems)].flatMap((found) => found?.[1] ?? [])
  const [digits = '', bits] = (call.networks.at(-1) ?? '').split('/')
  const network =
    bits === undefined ? digits.replace(/\.\d+$/, '.0/24') : `${digits.replaceAll(/.{4}\B/g, '$&:')}::/${bits}`
  return { browser: names.join(' on ') || 'Not a browser', network }
}
