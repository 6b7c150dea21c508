import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { parseConfig, variables } from './config.ts'
import { startArguments } from './testing/shop-process.ts'

const EXACT_TAG = /:v?\d+\.\d+\.\d+(-[a-z]+)?$/

const service = z.object({
  image: z.string(),
  environment: z.record(z.string(), z.string()).default({}),
  secrets: z.array(z.string()).default([]),
  configs: z.array(z.object({ source: z.string() })).default([]),
  networks: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  tmpfs: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.unknown()).default({}),
  profiles: z.array(z.string()).default([]),
  read_only: z.boolean().default(false),
  restart: z.string().optional(),
  stop_grace_period: z.string().optional(),
  mem_limit: z.string().optional(),
  cpus: z.number().optional(),
  pids_limit: z.number().optional(),
  scale: z.number().default(1),
})

const compose = z
  .object({
    services: z.record(z.string(), service),
    networks: z.record(z.string(), z.object({ internal: z.boolean().default(false) }).nullable()),
    secrets: z.record(z.string(), z.object({ environment: z.string() })),
    volumes: z.record(z.string(), z.null()),
  })
  .parse(parse(textOf('docker-compose.yml'), { merge: true }))

const services = Object.entries(compose.services)
const roles = ['api', 'projector', 'worker']
const servers = ['eventstoredb', 'views', 'vault', 'redis']
const providers = [
  'nowpayments_api_key',
  'nowpayments_ipn_secret',
  'paypal_client_secret',
  'upigateway_key',
  'cashfree_client_secret',
  'delivery_webhook_secret',
  'smtp_url',
  'discord_webhook_url',
  'telegram_bot_token',
]
/** Without these a process does not start; the other secrets may be empty. */
const needed = ['views_url', 'vault_url', 'redis_url', 'metrics_token']

function textOf(file: string): string {
  return readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
}

it('docker-compose.yml names every image by an exact tag', () => {
  for (const [name, { image }] of services)
    if (roles.includes(name)) expect(image).toMatch(/^coinshop:\$\{COINSHOP_VERSION:\?/)
    else expect(image).toMatch(EXACT_TAG)
  const bases = [...textOf('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, base]) => base)
  expect(new Set(bases)).toEqual(new Set([expect.stringMatching(/^node:\d+\.\d+\.\d+-slim$/)]))
})

it('docker-compose.yml limits and restarts every service', () => {
  for (const [name, { mem_limit, cpus, pids_limit, restart }] of services) {
    expect([name, typeof mem_limit, typeof cpus, typeof pids_limit]).toEqual([name, 'string', 'number', 'number'])
    expect([name, restart]).toEqual([name, 'unless-stopped'])
  }
  for (const name of servers)
    expect(Number.parseInt(compose.services[name]?.stop_grace_period ?? '')).toBeGreaterThan(10)
})

it('docker-compose.yml gives each process only the secrets that it needs', () => {
  const secretsOf = Object.fromEntries(services.map(([name, { secrets }]) => [name, secrets.toSorted()]))
  expect(secretsOf).toEqual({
    api: [...needed, 'admin_password', 'jwt_secret', ...providers].toSorted(),
    worker: [...needed, ...providers].toSorted(),
    projector: ['metrics_token', 'vault_url', 'views_url'],
    eventstoredb: [],
    views: ['views_password', 'views_root_password'],
    vault: ['vault_password', 'vault_root_password'],
    redis: ['redis_password'],
    prometheus: ['metrics_token'],
  })
})

it.each(variables.filter((name) => !['NODE_ENV', 'COMMIT_SHA'].includes(name)))(
  'docker-compose.yml passes %s as a value or a file',
  (name) => {
    const environment = compose.services['api']?.environment ?? {}
    expect(Object.keys(environment)).toContainEqual(expect.toBeOneOf([name, `${name}_FILE`]))
  },
)

it('docker-compose.yml gives secrets to the shop only as files, and no empty ones', () => {
  // Compose creates no file for an empty secret, and a missing file stops the start.
  for (const name of roles) {
    const { environment = {}, secrets = [] } = compose.services[name] ?? {}
    for (const secret of secrets) {
      const variable = compose.secrets[secret]?.environment ?? ''
      const file = `/run/secrets/${secret}`
      expect(environment[variable]).toBeUndefined()
      expect(environment[`${variable}_FILE`]).toBe(needed.includes(secret) ? file : `\${${variable}:+${file}}`)
    }
  }
})

it('docker-compose.yml keeps temporary files of SQLite on disk, not in memory', () => {
  for (const name of roles) {
    const { tmpfs = [], environment = {} } = compose.services[name] ?? {}
    expect(tmpfs.map((mount) => mount.split(':')[0])).toContain(environment['DATA_DIR'])
    expect(environment['SQLITE_TMPDIR']).toBe('/var/tmp')
    expect(tmpfs.join(' ')).not.toContain('/var/tmp')
  }
})

it('services with secrets or configs are not read-only, since Compose copies files into them', () => {
  for (const [name, { read_only, secrets, configs }] of services)
    if (secrets.length > 0 || configs.length > 0) expect([name, read_only]).toEqual([name, false])
})

it('.env.example has a variable for every secret, and the shop is no root of MongoDB', () => {
  const example = textOf('.env.example')
  for (const { environment } of Object.values(compose.secrets))
    expect(example).toMatch(new RegExp(`^${environment}=`, 'm'))
  for (const name of ['MONGODB_URL', 'VAULT_URL']) expect(example).toMatch(new RegExp(`^${name}=mongodb://shop:`, 'm'))
})

it('docker-compose.yml runs the whole shop, which stores nothing itself and waits only for log and vault', () => {
  expect(services.filter(([, { profiles }]) => profiles.length === 0).map(([name]) => name)).toEqual([
    ...roles,
    ...servers,
  ])
  expect(roles.map((name) => compose.services[name]?.scale)).toEqual([1, 1, 2])
  for (const name of roles) {
    const { volumes, environment, depends_on = {} } = compose.services[name] ?? {}
    expect(volumes).toEqual([])
    expect(environment?.['ROLES']).toBe(name)
    expect(Object.keys(depends_on)).toEqual(['eventstoredb', 'vault'])
  }
  const kept = services.flatMap(([, { volumes }]) => volumes.map((volume) => volume.split(':')[0] ?? ''))
  expect(kept.filter((volume) => !volume.startsWith('.')).toSorted()).toEqual(Object.keys(compose.volumes).toSorted())
})

it('docker-compose.yml lets only the shop reach its servers, and publishes only on loopback', () => {
  expect(compose.networks['inside']).toMatchObject({ internal: true })
  for (const name of servers) expect(compose.services[name]).toMatchObject({ networks: ['inside'], ports: [] })
  for (const [, { ports }] of services) for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/)
})

it('the image starts the shop as npm start does', () => {
  const [, ...words] = JSON.parse(/^CMD (\[.*\])$/m.exec(textOf('Dockerfile'))?.[1] ?? '[]') as string[]
  const program = words.pop() ?? ''
  expect(startArguments()).toEqual([...words, expect.stringMatching(new RegExp(`/${program}$`))])
})

describe('docker-compose.small.yml', () => {
  const { services: small, volumes } = z
    .object({
      services: z.record(z.string(), service.extend({ env_file: z.string() })),
      volumes: z.record(z.string(), z.null()),
    })
    .parse(parse(textOf('docker-compose.small.yml')))
  const { shop } = small

  it('docker-compose.small.yml is one limited container with one volume, on loopback', () => {
    expect(Object.keys(small)).toEqual(['shop'])
    expect(Object.keys(volumes)).toEqual(['shop'])
    expect(shop).toMatchObject({
      image: compose.services['api']?.image,
      volumes: ['shop:/data'],
      ports: compose.services['api']?.ports,
      restart: 'unless-stopped',
      mem_limit: expect.any(String),
      cpus: expect.any(Number),
      pids_limit: expect.any(Number),
    })
  })

  it('docker-compose.small.yml passes .env and runs every role on the embedded engines', () => {
    expect(shop?.env_file).toBe('.env')
    const { TRUST_PROXY: _byCompose, ...own } = shop?.environment ?? {}
    const asked = {
      PAYMENTS: 'sandbox',
      EVENTSTOREDB_URL: 'esdb://server',
      MONGODB_URL: 'mongodb://server/a',
      ROLES: '',
    }
    const config = parseConfig({ ...asked, VAULT_URL: 'mongodb://server/b', REDIS_URL: 'redis://server', ...own })
    expect(config).toMatchObject({
      DATA_DIR: '/data',
      HOST: '0.0.0.0',
      PORT: 3000,
      ROLES: ['api', 'projector', 'worker'],
    })
    for (const name of ['EVENTSTOREDB_URL', 'MONGODB_URL', 'VAULT_URL', 'REDIS_URL'] as const)
      expect(config[name]).toBeUndefined()
  })
})
