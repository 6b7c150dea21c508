import { randomUUID } from 'node:crypto'

/** The address of a log of its own, on a server that others use, too. */
export function ownPlace(url: string): string {
  const [place = '', settings] = url.split('?')
  const [server = ''] = /^[^/]+\/\/[^/]+/.exec(place) ?? []
  const named = `${server}/test_${randomUUID().replaceAll('-', '')}`
  return settings === undefined ? named : `${named}?${settings}`
}
