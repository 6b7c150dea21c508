import { readFileSync } from 'node:fs'
import type { AddressInfo, Server } from 'node:net'
import { createServer } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { AccessDeniedError } from '@eventstore/db-client'
import { expect, it, onTestFinished } from 'vitest'
import { parseAddress } from './address.ts'
import { troubleOf } from './trouble.ts'

const SECURE = 'esdb://shop:secret@log.example:2113'
const OPEN = 'esdb://log.example:2113?tls=false'

const refused = (code: number): AccessDeniedError =>
  new AccessDeniedError({ code, details: '', message: 'Access Denied', name: '' } as unknown as ConstructorParameters<
    typeof AccessDeniedError
  >[0])
/** As the client words a lost connection. */
const unavailable = (last: string) =>
  new Error(
    `14 UNAVAILABLE: No connection established. Last error: ${last} (2026-11-29T03:00:00.000Z). Resolution note: `,
  )

it.for<[error: Error, url: string, sentence: RegExp]>([
  [refused(16), SECURE, /^refuses the user 'shop' or its password: correct them/],
  [refused(16), OPEN, /^wants a user: write user:password@/],
  [refused(7), SECURE, /^refuses the user 'shop' a right: let it read \$all/],
  [
    unavailable('unable to verify the first certificate'),
    SECURE,
    /^has a certificate of no public authority: .*tlsCAFile=/,
  ],
  [
    unavailable('unable to verify the first certificate'),
    `${SECURE}?tlsCAFile=/ca.pem`,
    /that \/ca.pem has not signed/,
  ],
  [
    unavailable(
      "Hostname/IP does not match certificate's altnames: Host: log.example. is not in the cert's altnames: DNS:one",
    ),
    SECURE,
    /^has a certificate for DNS:one, not for log.example: write a name/,
  ],
  [
    unavailable(
      'write EPROTO 00D7F0AB:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../record.c:1:',
    ),
    SECURE,
    /^does not speak TLS: correct the port, or add tls=false/,
  ],
  [
    unavailable('connect ECONNREFUSED 127.0.0.1:2113'),
    SECURE,
    /^EventStoreDB at esdb:\/\/log.example:2113 cannot be used now: connect ECONNREFUSED [\d.:]+$/,
  ],
])('a trouble with a server is a sentence with its way out: %s at %s', async ([error, url, sentence]) => {
  const { what, wayOut } = await troubleOf(error, parseAddress(url))
  expect(wayOut === undefined ? what : `${what}: ${wayOut}`).toMatch(sentence)
})

const pem = (name: string) => readFileSync(new URL(`testing/server.${name}.pem`, import.meta.url))

async function listening(server: Server): Promise<string> {
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `esdb://127.0.0.1:${(server.address() as AddressInfo).port}?tls=false`
}

it('a look at the port tells a server with TLS from one of another protocol', async () => {
  const secure = await listening(createTlsServer({ cert: pem('cert'), key: pem('key') }))
  const plain = await listening(createServer((socket) => socket.end('220 mail\r\n')))
  for (const last of ['Failed to connect', 'Protocol error']) {
    expect(await troubleOf(unavailable(last), parseAddress(secure))).toMatchObject({ what: 'speaks TLS' })
    expect((await troubleOf(unavailable(last), parseAddress(plain))).what).toMatch(/^speaks another protocol/)
  }
})
