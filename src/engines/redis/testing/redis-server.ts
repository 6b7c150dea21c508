import { spawnSync } from 'node:child_process'
import { type OwnServer, ownServer } from '../../../ports/testing/own-server.ts'

const BINARY = 'redis-server'
const DURABLE = ['--appendonly', 'yes', '--save', '', '--appendfsync', 'always']

/** Why no Redis can be started here; undefined where one can. */
export const redisMissing: string | undefined =
  spawnSync(BINARY, ['--version']).status === 0 ? undefined : `there is no ${BINARY} on this machine`

export async function redisServer(settings: readonly string[] = []): Promise<OwnServer> {
  return ownServer({
    name: 'redis',
    command: (folder, port) => [
      ...([BINARY, '--port', port, '--bind', '127.0.0.1', '--dir', folder] as const),
      ...DURABLE,
      ...settings,
    ],
    urlAt: (port) => `redis://127.0.0.1:${port}`,
    ready: 'Ready to accept connections',
  })
}
