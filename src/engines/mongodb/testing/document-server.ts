import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type OwnServer, ownServer } from '../../../ports/testing/own-server.ts'

const folder = join(import.meta.dirname, '../../../../.ci/mongodb')

/** Why no server can be started here; undefined where one can. */
export const serverMissing = existsSync(join(folder, 'target/jars'))
  ? undefined
  : 'the document server was not brought here: mvn -f .ci/mongodb/pom.xml package'

/** A server of MongoDB's protocol. Killed, it keeps only journaled writes and others older than about a second. */
export async function documentServer(): Promise<OwnServer> {
  return ownServer({
    name: 'documents',
    command: (data, port) => [join(folder, 'start'), join(data, 'documents'), port],
    urlAt: (port) => `mongodb://127.0.0.1:${port}`,
  })
}
