import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { distance } from 'fastest-levenshtein'
import * as z from 'zod'

/** A wrong value in the environment: the start ends with this one line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))
const decimal = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/, `must be a number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))
const url = (...protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    message: `must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  })
const web = url('https:', 'http:')
const text = z.string().min(1)
const key = z.string().trim().min(1, 'must not be blank')
const secret = z.string().min(32, 'must have at least 32 characters')

const ROLES = ['api', 'projector', 'worker'] as const
export type Role = (typeof ROLES)[number]

const roles = z
  .string()
  .transform((given) => given.split(',').map((role) => role.trim()))
  .refine((given) => given.every((role) => (ROLES as readonly string[]).includes(role)), {
    message: `must be a list out of ${ROLES.join(', ')}`,
  })
  .transform((given) => [...new Set(given)] as Role[])

/** As Express takes it: https://expressjs.com/en/guide/behind-proxies.html */
const trustProxy = z.string().refine(isTrustProxy, {
  message:
    'must be off, on (one proxy), a number of proxies from 1 to 10, or their addresses separated by commas, such as loopback or 10.0.0.0/8',
})

function isTrustProxy(text: string): boolean {
  if (text === 'off' || text === 'on') return true
  if (/^\d+$/.test(text)) return Number(text) >= 1 && Number(text) <= 10
  return text.split(',').every((part) => isNetwork(part.trim()))
}

function isNetwork(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [address = '', length, ...more] = text.split('/')
  const version = isIP(address)
  // Express takes neither a zone nor a network of everybody.
  if (version === 0 || address.includes('%') || more.length > 0) return false
  return (
    length === undefined ||
    (/^\d+$/.test(length) && Number(length) >= 1 && Number(length) <= (version === 4 ? 32 : 128))
  )
}

const timeZone = z.string().refine(isTimeZone, { message: 'must be the name of a time zone, such as Asia/Kolkata' })

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** The providers' own addresses; any other is a test. */
const PROVIDER_URLS = {
  NOWPAYMENTS_URL: 'https://api.nowpayments.io/v1',
  UPIGATEWAY_URL: 'https://api.ekqr.in/api',
  CASHFREE_URL: 'https://api.cashfree.com/pg',
  PAYPAL_URL: 'https://api-m.paypal.com',
} as const
export type ProviderUrl = keyof typeof PROVIDER_URLS
const providerUrls = Object.keys(PROVIDER_URLS) as readonly ProviderUrl[]

const environment = z.object({
  NODE_ENV: z.string().optional(),
  PORT: wholeNumber(0, 65_535).optional(),
  HOST: text.default('127.0.0.1'),
  ROLES: roles.default([...ROLES]),
  TRUST_PROXY: trustProxy.default('off'),
  DATA_DIR: text.default('./data'),
  PUBLIC_URL: web.optional(),
  SHOP_NAME: text.max(60).default('Coinshop'),
  SHOP_TIME_ZONE: timeZone.default('Asia/Kolkata'),
  ADMIN_EMAIL: z.string().includes('@', 'must be an e-mail address').default('owner@localhost'),
  ADMIN_PASSWORD: z.string().min(10, 'must have at least 10 characters').optional(),
  JWT_SECRET: secret.optional(),
  METRICS_TOKEN: secret.optional(),
  // A list of hosts is no URL: the engine reads the rest of it.
  EVENTSTOREDB_URL: z
    .string()
    .regex(
      /^esdb(\+discover)?:\/\//,
      'must be an address that begins with esdb:// or esdb+discover:// (for a KurrentDB, too: not kurrentdb://)',
    )
    .optional(),
  MONGODB_URL: url('mongodb:', 'mongodb+srv:').optional(),
  VAULT_URL: url('mongodb:', 'mongodb+srv:').optional(),
  REDIS_URL: url('redis:', 'rediss:').optional(),
  PAYMENTS: z.enum(['sandbox', 'live'], 'must be sandbox or live').optional(),
  SANDBOX_DELAY_MS: wholeNumber(0, 3_600_000).default(2000),
  ORDER_TTL_MINUTES: decimal(0.01, 10_080).default(60),
  // At most the time after which the view shows a reservation as due.
  RESERVATION_TTL_MINUTES: decimal(0.01, 1).default(1),
  OPEN_ORDERS_MAX: wholeNumber(1, 20_000).default(20_000),
  INR_PER_USD: decimal(1, 1000).default(86.5),
  RATE_LIMIT: z.enum(['on', 'off'], 'must be on or off').default('on'),
  NOWPAYMENTS_API_KEY: key.optional(),
  NOWPAYMENTS_IPN_SECRET: key.optional(),
  NOWPAYMENTS_URL: web.default(PROVIDER_URLS.NOWPAYMENTS_URL),
  NOWPAYMENTS_PAYOUT_COIN: z
    .string()
    .regex(/^[A-Za-z0-9]{2,20}$/, 'must be the code of a coin, such as ltc')
    .toLowerCase()
    .default('ltc'),
  UPIGATEWAY_KEY: key.optional(),
  UPIGATEWAY_URL: web.default(PROVIDER_URLS.UPIGATEWAY_URL),
  CASHFREE_CLIENT_ID: key.optional(),
  CASHFREE_CLIENT_SECRET: key.optional(),
  CASHFREE_URL: web.default(PROVIDER_URLS.CASHFREE_URL),
  PAYPAL_CLIENT_ID: key.optional(),
  PAYPAL_CLIENT_SECRET: key.optional(),
  PAYPAL_WEBHOOK_ID: key.optional(),
  PAYPAL_URL: web.default(PROVIDER_URLS.PAYPAL_URL),
  DELIVERY: z.enum(['staff', 'webhook', 'instant'], 'must be staff, webhook or instant').optional(),
  DELIVERY_WEBHOOK_URL: web.optional(),
  DELIVERY_WEBHOOK_SECRET: secret.optional(),
  DISCORD_DM_URL: url('https:').optional(),
  DISCORD_SERVER_URL: url('https:').optional(),
  SUPPORT_EMAIL: z
    .string()
    .regex(/^[^@\s]+@[^@\s]+$/, 'must be an e-mail address')
    .optional(),
  /** Of the release that runs; set by the image. */
  COMMIT_SHA: z
    .string()
    .regex(/^[0-9a-f]{7,64}$/, 'must be the id of a commit')
    .optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

const PORT_DEFAULT = 3000
const names = Object.keys(environment.shape)

export type Environment = z.infer<typeof environment>

export interface Config extends Omit<Environment, 'PAYMENTS' | 'DELIVERY' | 'PORT' | 'PUBLIC_URL' | 'INR_PER_USD'> {
  readonly PAYMENTS: 'sandbox' | 'live'
  /** Of orders that become ready from now on. */
  readonly DELIVERY: 'staff' | 'webhook' | 'instant'
  /** Undefined: a process without the role `api` listens only if PORT is set. */
  readonly PORT: number | undefined
  readonly PUBLIC_URL: string
  /** Rupees for a dollar, in hundredths. */
  readonly paisePerUsd: number
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * Reads the whole environment at once; `NAME_FILE` names a file that holds the value of NAME. Throws `ConfigError` with one line that
 * names the variable and what it must be.
 */
export function parseConfig(env: Env): Config {
  // `PORT=` in a file means that it is not set.
  const all = { ...env, ...valuesInFiles(env) }
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const name = String(issue?.path[0] ?? 'environment')
    throw new ConfigError(`${name} ${issue?.message ?? 'is wrong'} (it is set to ${shown(name, all[name])})`)
  }
  const values = parsed.data
  assertSandboxIsMeant(values)
  assertProvidersEncrypted(values)
  const paisePerUsd = Math.round(values.INR_PER_USD * 100)
  if (Math.abs(paisePerUsd / 100 - values.INR_PER_USD) > 1e-9)
    throw new ConfigError(`INR_PER_USD takes at most two decimals (it is set to ${values.INR_PER_USD})`)
  if (values.DELIVERY_WEBHOOK_URL !== undefined && values.DELIVERY_WEBHOOK_SECRET === undefined)
    throw new ConfigError(
      'DELIVERY_WEBHOOK_SECRET must be set where DELIVERY_WEBHOOK_URL is, so that the call can be signed',
    )
  const isCalled = values.DELIVERY_WEBHOOK_URL !== undefined
  if (values.DELIVERY === 'webhook' && !isCalled)
    throw new ConfigError('DELIVERY_WEBHOOK_URL must be set where DELIVERY is webhook, so that there is a bot to call')
  const port = values.PORT ?? (values.ROLES.includes('api') ? PORT_DEFAULT : undefined)
  return {
    ...values,
    PAYMENTS: values.PAYMENTS ?? 'sandbox',
    DELIVERY: values.DELIVERY ?? (isCalled ? 'webhook' : 'staff'),
    PORT: port,
    PUBLIC_URL: values.PUBLIC_URL ?? `http://localhost:${port ?? PORT_DEFAULT}`,
    paisePerUsd,
  }
}

const FILE_SUFFIX = '_FILE'

/** Secrets of containers come as files. */
function valuesInFiles(env: Env): Record<string, string> {
  const files = names.flatMap((name) => {
    const file = env[name + FILE_SUFFIX]
    return file === undefined || file === '' ? [] : [{ name, file }]
  })
  return Object.fromEntries(files.map(({ name, file }) => [name, valueInFile({ name, file, given: env[name] })]))
}

function valueInFile({ name, file, given }: { name: string; file: string; given: string | undefined }): string {
  const variable = name + FILE_SUFFIX
  if (given !== undefined && given !== '') throw new ConfigError(`${name} and ${variable} are both set; remove one`)
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new ConfigError(`${variable} names ${file}, which cannot be read (${code})`)
  }
}

/** The sandbox may be a default on one's own machine only. */
function assertSandboxIsMeant({ PAYMENTS, NODE_ENV, PUBLIC_URL, HOST }: Environment): void {
  if (PAYMENTS !== undefined) return
  const why =
    NODE_ENV === 'production'
      ? 'NODE_ENV is production'
      : PUBLIC_URL?.startsWith('https:') === true
        ? 'PUBLIC_URL begins with https://'
        : isLoopback(HOST)
          ? undefined
          : `HOST is ${HOST}`
  if (why !== undefined)
    throw new ConfigError(`PAYMENTS must be set to live or sandbox, since ${why}: nobody may take play money for real`)
}

/** Keys and amounts go there. */
function assertProvidersEncrypted(values: Environment): void {
  if (values.PAYMENTS !== 'live') return
  const open = providerUrls.find((name) => {
    const { protocol, hostname } = new URL(values[name])
    return protocol === 'http:' && !isLoopback(hostname)
  })
  if (open !== undefined)
    throw new ConfigError(`${open} must begin with https:// where PAYMENTS is live, unless it is on this machine`)
}

/** Whether the address is not the provider's own: its sandbox, or a double. */
export function isTestAddress(config: Pick<Environment, ProviderUrl>, name: ProviderUrl): boolean {
  return config[name].replace(/\/$/, '') !== PROVIDER_URLS[name]
}

/** Why no provider can send a webhook to this address; undefined where one can. */
export function unreachableReason(publicUrl: string): string | undefined {
  const { protocol, hostname } = new URL(publicUrl)
  if (isLoopback(hostname)) return 'it is this machine alone'
  if (isPrivate(hostname)) return 'it is an address of a private network'
  if (!hostname.includes('.') && !hostname.includes(':')) return 'it is a name of a private network'
  return protocol === 'https:' ? undefined : 'it begins with http://, and providers call https:// alone'
}

const privateNetworks = new BlockList()
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  privateNetworks.addSubnet(network, prefix)
privateNetworks.addSubnet('fc00::', 7, 'ipv6')
privateNetworks.addSubnet('fe80::', 10, 'ipv6')

function isPrivate(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '')
  const version = isIP(address)
  return version !== 0 && privateNetworks.check(address, version === 6 ? 'ipv6' : 'ipv4')
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/** What the start warns of; undefined where a buyer has a way to write to the shop. */
export function unreachableShop({ ROLES, ...ways }: Pick<Config, 'ROLES' | WayToTheShop>): string | undefined {
  if (!ROLES.includes('api') || waysToTheShop.some((name) => ways[name] !== undefined)) return undefined
  return `buyers have no way to write to the shop: set ${waysToTheShop.join(', ')}`
}

const waysToTheShop = ['DISCORD_DM_URL', 'DISCORD_SERVER_URL', 'SUPPORT_EMAIL'] as const
type WayToTheShop = (typeof waysToTheShop)[number]

const LIKENESS_LENGTH_MIN = 5

/** Likely misspelt variables of the environment, each with the shop's own name for it. */
export function misspeltNames(env: Env): { name: string; meant: string }[] {
  const own = names.flatMap((name) => [name, name + FILE_SUFFIX])
  return Object.keys(env).flatMap((name) => {
    if (own.includes(name) || name.length < LIKENESS_LENGTH_MIN) return []
    const meant = own.find((other) => other.length >= LIKENESS_LENGTH_MIN && isAlike(name.toUpperCase(), other))
    return meant === undefined ? [] : [{ name, meant }]
  })
}

/** One or, in longer names, two letters are missing, too many or others. */
function isAlike(name: string, other: string): boolean {
  const most = other.length < 8 ? 1 : 2
  return Math.abs(name.length - other.length) <= most && distance(name, other) <= most
}

function shown(name: string, value: string | undefined): string {
  if (value === undefined) return 'nothing'
  return /SECRET|PASSWORD|KEY|URL|TOKEN/.test(name) ? 'something else' : JSON.stringify(value.slice(0, 80))
}
