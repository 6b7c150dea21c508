import { readFileSync } from 'node:fs'
import ipaddr from 'ipaddr.js'
import { compile } from 'proxy-addr'
import * as z from 'zod'

/** An invalid environment variable: the start fails with this one line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** DATA_DIR or EVENTSTOREDB_URL holds no shop yet. */
export class NoShop extends Error {
  override readonly name = 'NoShop'
}

const numberIn = (what: string, form: RegExp) => (min: number, max: number) =>
  z
    .string()
    .regex(form, `must be ${what} from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))
const wholeNumber = numberIn('a whole number', /^\d+$/)
const decimal = numberIn('a number', /^\d+(\.\d+)?$/)
/** Parses by `read`, which throws a `ValueError` that says what the value must be. */
const value = <Value>(read: (text: string) => Value) =>
  z.string().transform((text, context) => {
    try {
      return read(text)
    } catch (error) {
      if (!(error instanceof ValueError)) throw error
      context.addIssue({ code: 'custom', message: error.message })
      return z.NEVER
    }
  })
const https = value((text) => webAddress(text, ['https:']).href)
const web = value((text) => webAddress(text, ['https:', 'http:']).href)
const origin = value((text) => originOf(webAddress(text, ['https:', 'http:'])))
const baseUrl = value((text) => baseOf(webAddress(text, ['https:', 'http:'])))
const mongodb = value((text) => withoutRawPassword(text, /^mongodb(\+srv)?:\/\//, 'mongodb:// or mongodb+srv://'))
const eventstoredb = value((text) =>
  withoutRawPassword(
    text,
    /^esdb(\+discover)?:\/\//,
    'esdb:// or esdb+discover:// (for a KurrentDB, too: not kurrentdb:// or kdb://)',
  ),
)
const redis = value(redisAddress)
const smtp = value(smtpAddress)
const discordWebhook = value((text) => {
  const { href, pathname } = encryptedAddress(text)
  if (!/\/webhooks\/\d+\/[\w-]+$/.test(pathname))
    throw new ValueError(
      'must be the address that Discord shows for a webhook, such as https://discord.com/api/webhooks/1/abc',
    )
  return href
})
const text = z.string()
const secret = z.string().min(32, 'must have at least 32 characters')
const email = z
  .string()
  .max(254, 'must have at most 254 characters')
  .regex(
    /^[^\s@<>()[\]\\,;:"]+@[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*$/u,
    'must be an e-mail address and nothing else, such as owner@shop.example',
  )

const ROLES = ['api', 'projector', 'worker'] as const
export type Role = (typeof ROLES)[number]

const roles = z
  .string()
  .transform((given) => given.split(',').map((role) => role.trim()))
  .refine((given) => given.every((role) => (ROLES as readonly string[]).includes(role)), {
    message: `must be a list out of ${ROLES.join(', ')}`,
  })
  .transform((given) => [...new Set(given)] as Role[])

/** Express's setting: https://expressjs.com/en/guide/behind-proxies.html */
const trustProxy = z.string().refine(isTrustProxy, {
  message:
    'must be off, on (one proxy), a number of proxies from 1 to 10, or their addresses separated by commas, such as loopback or 10.0.0.0/8',
})

function isTrustProxy(text: string): boolean {
  if (text === 'off' || text === 'on') return true
  if (/^\d+$/.test(text)) return Number(text) >= 1 && Number(text) <= 10
  try {
    compile(text.split(',').map((part) => part.trim()))
    return true
  } catch {
    return false
  }
}

const timeZone = z.string().refine(isTimeZone, { message: 'must be the name of a time zone, such as Asia/Kolkata' })

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const PROVIDER_URLS = {
  NOWPAYMENTS_URL: 'https://api.nowpayments.io/v1',
  UPIGATEWAY_URL: 'https://api.ekqr.in/api',
  CASHFREE_URL: 'https://api.cashfree.com/pg',
  PAYPAL_URL: 'https://api-m.paypal.com',
} as const
export type ProviderUrl = keyof typeof PROVIDER_URLS
export const providerUrls = Object.keys(PROVIDER_URLS) as readonly ProviderUrl[]

/** Hosts that move real money; any other host is a test. */
const LIVE_HOSTS: Readonly<Record<ProviderUrl, readonly string[]>> = {
  NOWPAYMENTS_URL: ['api.nowpayments.io'],
  UPIGATEWAY_URL: ['api.ekqr.in', 'merchant.upigateway.com'],
  CASHFREE_URL: ['api.cashfree.com'],
  PAYPAL_URL: ['api-m.paypal.com', 'api.paypal.com'],
}

const environment = z.object({
  NODE_ENV: z.string().optional(),
  PORT: wholeNumber(0, 65_535).optional(),
  HOST: text.default('127.0.0.1'),
  ROLES: roles.default([...ROLES]),
  TRUST_PROXY: trustProxy.default('off'),
  DATA_DIR: text
    .regex(
      /^(?!~)(?!.*\$[\w{(])/s,
      'must be the whole path of a folder: ~ and variables such as $HOME are not replaced here',
    )
    .default('./data'),
  PUBLIC_URL: origin.optional(),
  SHOP_NAME: text.max(60, 'must have at most 60 characters').default('Coinshop'),
  SHOP_TIME_ZONE: timeZone.default('Asia/Kolkata'),
  ADMIN_EMAIL: email.default('owner@localhost'),
  // The login rejects longer passwords.
  ADMIN_PASSWORD: z
    .string()
    .min(10, 'must have at least 10 characters')
    .max(1_000, 'must have at most 1000 characters')
    .optional(),
  JWT_SECRET: secret.optional(),
  METRICS_TOKEN: secret.optional(),
  EVENTSTOREDB_URL: eventstoredb.optional(),
  MONGODB_URL: mongodb.optional(),
  VAULT_URL: mongodb.optional(),
  REDIS_URL: redis.optional(),
  PAYMENTS: z.enum(['sandbox', 'live'], 'must be sandbox or live').optional(),
  SANDBOX_DELAY_MS: wholeNumber(0, 3_600_000).default(2000),
  ORDER_TTL_MINUTES: decimal(0.01, 10_080).default(60),
  // At most the age at which the view shows a reservation as due.
  RESERVATION_TTL_MINUTES: decimal(0.01, 1).default(1),
  OPEN_ORDERS_MAX: wholeNumber(1, 20_000).default(20_000),
  INR_PER_USD: decimal(1, 1000).default(86.5),
  RATE_LIMIT: z.enum(['on', 'off'], 'must be on or off').default('on'),
  NOWPAYMENTS_API_KEY: text.optional(),
  NOWPAYMENTS_IPN_SECRET: text.optional(),
  NOWPAYMENTS_URL: baseUrl.default(PROVIDER_URLS.NOWPAYMENTS_URL),
  NOWPAYMENTS_PAYOUT_COIN: z
    .string()
    .regex(/^[A-Za-z0-9]{1,20}$/, 'must be the code of a coin, such as ltc')
    .toLowerCase()
    .default('ltc'),
  UPIGATEWAY_KEY: text.optional(),
  UPIGATEWAY_WHOLE_RUPEES: z.enum(['on', 'off'], 'must be on or off').default('off'),
  UPIGATEWAY_URL: baseUrl.default(PROVIDER_URLS.UPIGATEWAY_URL),
  CASHFREE_CLIENT_ID: text.optional(),
  CASHFREE_CLIENT_SECRET: text.optional(),
  CASHFREE_URL: baseUrl.default(PROVIDER_URLS.CASHFREE_URL),
  PAYPAL_CLIENT_ID: text.optional(),
  PAYPAL_CLIENT_SECRET: text.optional(),
  PAYPAL_WEBHOOK_ID: text.optional(),
  PAYPAL_URL: baseUrl.default(PROVIDER_URLS.PAYPAL_URL),
  DELIVERY: z.enum(['staff', 'webhook', 'instant'], 'must be staff, webhook or instant').optional(),
  DELIVERY_WEBHOOK_URL: web.optional(),
  DELIVERY_WEBHOOK_SECRET: secret.optional(),
  DISCORD_DM_URL: https.optional(),
  DISCORD_SERVER_URL: https.optional(),
  SUPPORT_EMAIL: email.optional(),
  MESSAGES: z.enum(['on', 'off'], 'must be on or off').default('on'),
  SMTP_URL: smtp.optional(),
  MAIL_FROM: email.optional(),
  OWNER_MAIL: email.optional(),
  DISCORD_WEBHOOK_URL: discordWebhook.optional(),
  TELEGRAM_BOT_TOKEN: text
    .regex(/^\d+:[\w-]{20,}$/, 'must be the token that @BotFather shows, such as 123456789:AAbb...')
    .optional(),
  TELEGRAM_CHAT_ID: text
    .regex(/^(-?\d{1,20}|@\w{4,40})$/, "must be a chat's number, such as -1001234567890, or a channel's @name")
    .optional(),
  TELEGRAM_URL: value((text) => baseOf(encryptedAddress(text))).default('https://api.telegram.org'),
  /** The running release's commit; set by the image. */
  COMMIT_SHA: z
    .string()
    .regex(/^[0-9a-f]{7,64}$/, 'must be the id of a commit')
    .optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
})

const PORT_DEFAULT = 3000
/** All variables; each can be set as NAME_FILE instead. */
export const variables = Object.keys(environment.shape)

type Environment = z.infer<typeof environment>

export interface Config extends Omit<Environment, 'PAYMENTS' | 'DELIVERY' | 'PORT' | 'PUBLIC_URL' | 'INR_PER_USD'> {
  readonly PAYMENTS: 'sandbox' | 'live'
  /** Applies to orders that become ready from now on. */
  readonly DELIVERY: 'staff' | 'webhook' | 'instant'
  /** Undefined: a process without the role `api` listens only if PORT is set. */
  readonly PORT: number | undefined
  readonly PUBLIC_URL: string
  /** Paise (1/100 rupee) per US dollar. */
  readonly paisePerUsd: number
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * Parses the whole environment; `NAME_FILE` names a file with the value of NAME. Throws a one-line `ConfigError` that
 * names the variable and what it must be.
 */
export function parseConfig(env: Env): Config {
  const given = givenIn(env)
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const name = String(issue?.path[0] ?? 'environment')
    throw new ConfigError(`${name} ${issue?.message ?? 'is wrong'}${shown(name, given[name])}`)
  }
  const values = parsed.data
  assertSandboxIsMeant(values)
  assertProvidersEncrypted(values)
  assertMessagesComplete(values)
  assertNoneMisspelt(values, env)
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

/** The values that are set, by name. An empty value counts as not set. */
function givenIn(env: Env): Record<string, string> {
  const given: Record<string, string> = {}
  for (const name of variables) {
    const own = plainValue(name, env[name])
    const variable = name + FILE_SUFFIX
    const file = plainValue(variable, env[variable])
    if (own !== undefined && file !== undefined)
      throw new ConfigError(`${name} and ${variable} are both set; remove one`)
    const value = file === undefined ? own : plainValue(name, contentOf({ name, file }))
    if (value !== undefined) given[name] = value
  }
  return given
}

/** Trims, and rejects quotes: `docker run --env-file` keeps quotes and Windows line ends in a value. */
function plainValue(name: string, given: string | undefined): string | undefined {
  if (given === undefined || given === '') return undefined
  const value = given.trim()
  if (value === '') throw new ConfigError(`${name} must not be blank: give it a value, or remove it`)
  if (QUOTED.test(value))
    throw new ConfigError(`${name} is in quotes, which would be part of its value: write it without them`)
  return value
}

const QUOTED = /^(["'`]).*\1$|^[\u2018\u201C].*[\u2019\u201D]$/s

/** Container secrets are mounted as files. */
function contentOf({ name, file }: { name: string; file: string }): string {
  const variable = name + FILE_SUFFIX
  // May hold the secret itself by mistake: show only paths.
  const shown = /^(\.{0,2}\/|[A-Za-z]:\\)/.test(file) ? file : 'a file'
  let content: string
  try {
    content = readFileSync(file, 'utf8').trim()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new ConfigError(
      `${variable} names ${shown}, which cannot be read (${code}); the value itself goes into ${name}`,
    )
  }
  if (content === '') throw new ConfigError(`${variable} names ${shown}, which is empty`)
  return content
}

/** Says what a value must be, without the variable's name. */
class ValueError extends Error {
  override readonly name = 'ValueError'
}

const HOST_NAME = /^([\w.-]+|\[[\da-f:.]+\])$/i

function webAddress(text: string, protocols: readonly string[]): URL {
  const url = URL.parse(text)
  const begin = protocols.map((protocol) => `${protocol}//`)
  if (!begin.some((own) => text.toLowerCase().startsWith(own)))
    throw new ValueError(`must be an address that begins with ${begin.join(' or ')}`)
  if (!url || !HOST_NAME.test(url.hostname)) throw new ValueError('must be an address with a host that can be read')
  if (url.username !== '' || url.password !== '') throw new ValueError('must be an address without user and password')
  return url
}

/** An address that holds a secret: not encrypted on this machine only. */
function encryptedAddress(text: string): URL {
  const url = webAddress(text, ['https:', 'http:'])
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw new ValueError('must begin with https://, unless it is on this machine')
  return url
}

function smtpAddress(text: string): string {
  const url = URL.parse(withoutRawPassword(text, /^smtps?:\/\//, 'smtp:// or smtps://'))
  if (!url || !HOST_NAME.test(url.hostname) || !/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '')
    throw new ValueError('must name one host, and after it nothing but a port, such as smtp://user:password@host:587')
  if ((url.username === '') !== (url.password === ''))
    throw new ValueError('must have both a user and a password, or neither, such as smtp://user:password@host:587')
  return text
}

function originOf({ origin, pathname, search, hash }: URL): string {
  if (pathname !== '/' || search !== '' || hash !== '')
    throw new ValueError('must end with the host or its port: the shop answers at no other path than /')
  return origin
}

function baseOf({ origin, pathname, search, hash }: URL): string {
  if (search !== '' || hash !== '') throw new ValueError('must be an address without ? and #')
  return origin + pathname.replace(/\/+$/, '')
}

/** The driver parses the rest: a list of hosts is not a URL. */
function withoutRawPassword(text: string, scheme: RegExp, begin: string): string {
  if (!scheme.test(text)) throw new ValueError(`must be an address that begins with ${begin}`)
  const place = text.replace(scheme, '')
  const user = place.slice(0, Math.max(0, place.lastIndexOf('@')))
  if (/[/#?@]|%(?![\da-f]{2})/i.test(user))
    throw new ValueError('has / # ? @ or % in its user or password: write these there as %2F %23 %3F %40 %25')
  return text
}

/** If the driver cannot parse an address, it uses another server or database. */
function redisAddress(text: string): string {
  const url = URL.parse(withoutRawPassword(text, /^rediss?:\/\//, 'redis:// or rediss://'))
  if (!url || !HOST_NAME.test(url.hostname) || !/^(\/\d*)?$/.test(url.pathname))
    throw new ValueError(
      'must name one host, and after it nothing but a port and the number of a database, such as redis://host:6379/0',
    )
  return text
}

/** The sandbox is the default only on a developer's machine. */
function assertSandboxIsMeant({ PAYMENTS, NODE_ENV, PUBLIC_URL, HOST, TRUST_PROXY }: Environment): void {
  if (PAYMENTS !== undefined) return
  const why = [
    !isOfDevelopers(NODE_ENV) && `NODE_ENV is ${NODE_ENV}`,
    PUBLIC_URL !== undefined && !isLoopback(new URL(PUBLIC_URL).hostname) && `PUBLIC_URL is ${PUBLIC_URL}`,
    !isLoopback(HOST) && `HOST is ${HOST}`,
    TRUST_PROXY !== 'off' && `TRUST_PROXY is ${TRUST_PROXY}`,
  ].find((reason) => reason !== false)
  if (why !== undefined)
    throw new ConfigError(
      `PAYMENTS must be set to live or sandbox, since ${why}: buyers who can reach the shop may take play money for real`,
    )
}

function isOfDevelopers(NODE_ENV: string | undefined): boolean {
  return NODE_ENV === undefined || NODE_ENV === 'development' || NODE_ENV === 'test'
}

/** Requests to providers carry keys and amounts. */
function assertProvidersEncrypted(values: Environment): void {
  if (values.PAYMENTS !== 'live') return
  const open = providerUrls.find((name) => {
    const { protocol, hostname } = new URL(values[name])
    return protocol === 'http:' && !isLoopback(hostname)
  })
  if (open !== undefined)
    throw new ConfigError(`${open} must begin with https:// where PAYMENTS is live, unless it is on this machine`)
}

/** Which variable also has to be set for another to be of use. */
const NEEDED: readonly (readonly [name: keyof Environment, needs: keyof Environment, why: string])[] = [
  ['SMTP_URL', 'MAIL_FROM', 'so that mails have a sender'],
  ['MAIL_FROM', 'SMTP_URL', 'so that there is a server that sends mails'],
  ['OWNER_MAIL', 'SMTP_URL', 'so that there is a server that sends mails'],
  ['TELEGRAM_BOT_TOKEN', 'TELEGRAM_CHAT_ID', 'so that the bot knows where to write'],
  ['TELEGRAM_CHAT_ID', 'TELEGRAM_BOT_TOKEN', 'so that there is a bot that writes'],
]

function assertMessagesComplete(values: Environment): void {
  for (const [name, needs, why] of NEEDED)
    if (values[name] !== undefined && values[needs] === undefined)
      throw new ConfigError(`${needs} must be set where ${name} is, ${why}`)
}

/** Whether the address is a provider's sandbox or a test double. */
export function isTestAddress(config: Pick<Environment, ProviderUrl>, name: ProviderUrl): boolean {
  return !LIVE_HOSTS[name].includes(new URL(config[name]).hostname.replace(/\.$/, ''))
}

/** Why no provider can send a webhook to this address; undefined if one can. */
export function unreachableReason(publicUrl: string): string | undefined {
  const { protocol, hostname } = new URL(publicUrl)
  if (isLoopback(hostname)) return 'it is this machine alone'
  if (isPrivate(hostname)) return 'it is an address of a private network'
  if (!hostname.includes('.') && !hostname.includes(':')) return 'it is a name of a private network'
  return protocol === 'https:' ? undefined : 'it begins with http://, and providers call https:// alone'
}

function isPrivate(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(address) && ipaddr.process(address).range() !== 'unicast'
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/** Names that other programs use, and the shop's name. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  KURRENTDB_URL: 'EVENTSTOREDB_URL',
  DATABASE_URL: 'MONGODB_URL or VAULT_URL',
  MONGO_URI: 'MONGODB_URL',
}

interface ForeignName {
  readonly name: string
  /** The shop's name that is probably meant. */
  readonly meant: string
}

/** Variables set under another program's name or misspelt, which the shop ignores. */
export function foreignNames(env: Env): ForeignName[] {
  const others = Object.entries(OTHER_NAMES).flatMap(([name, meant]) =>
    env[name] === undefined ? [] : [{ name, meant }],
  )
  return [...others, ...misspelt(env)]
}

function misspelt(env: Env): ForeignName[] {
  return Object.keys(env).flatMap((name) => {
    if (env[name] === undefined || name in OTHER_NAMES) return []
    const meant = meantBy(name)
    return meant.length === 0 ? [] : [{ name, meant: or.format(meant) }]
  })
}

const or = new Intl.ListFormat('en-GB', { type: 'disjunction' })
const ownNames: ReadonlySet<string> = new Set(variables.flatMap((name) => [name, name + FILE_SUFFIX]))
/** Shorter names are too near to others. */
const COMPARED_LENGTH_MIN = 8

/** The shop's variables that a name is nearly: two letters apart, in another order of words, or without one of them. */
function meantBy(name: string): string[] {
  if (ownNames.has(name) || name.length < COMPARED_LENGTH_MIN) return []
  const words = name.split('_')
  const isNear = (own: string): boolean => {
    const ownWords = own.split('_')
    const isReordered = words.toSorted().join() === ownWords.toSorted().join()
    const isShortened = ownWords.some((_, index) => ownWords.toSpliced(index, 1).join() === words.join())
    return own.length >= COMPARED_LENGTH_MIN && (isReordered || isShortened || lettersApart(name, own) <= 2)
  }
  return [...ownNames].filter(isNear)
}

/** How many letters must be added, removed or changed. */
function lettersApart(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return Infinity
  let above = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (const [row, letter] of Array.from(one).entries()) {
    const line = [row + 1]
    for (let column = 1; column <= other.length; column += 1) {
      const changed = (above[column - 1] ?? 0) + (letter === other[column - 1] ? 0 : 1)
      line.push(Math.min(changed, (above[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1))
    }
    above = line
  }
  return above.at(-1) ?? 0
}

const ABOUT_MONEY = /PAYMENTS|PAYPAL|UPIGATEWAY|CASHFREE|DELIVERY|SECRET|PASSWORD|KEY|TOKEN/

/** A live shop without a key or its bot would seem to run. */
function assertNoneMisspelt({ PAYMENTS }: Environment, env: Env): void {
  if (PAYMENTS !== 'live') return
  const wrong = misspelt(env).find(({ meant }) => ABOUT_MONEY.test(meant))
  if (wrong !== undefined)
    throw new ConfigError(`${wrong.name} is no variable of the shop; is ${wrong.meant} meant? Rename it, or remove it`)
}

/** Addresses that are not secret. Engine addresses hold passwords; a bot's address may hold a token. */
const PUBLIC_ADDRESSES = new Set<string>(['PUBLIC_URL', 'DISCORD_DM_URL', 'DISCORD_SERVER_URL', ...providerUrls])
const SHOWN_MAX = 80

function shown(name: string, value: string | undefined): string {
  const isSecret = /SECRET|PASSWORD|KEY|URL|TOKEN|MAIL_FROM|OWNER_MAIL|CHAT/.test(name) && !PUBLIC_ADDRESSES.has(name)
  if (value === undefined || isSecret) return ''
  return ` (it is set to ${JSON.stringify(value.replace(/\/\/.*@/, '//').slice(0, SHOWN_MAX))})`
}
