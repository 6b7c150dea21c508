import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  ConfigError,
  foreignNames,
  isTestAddress,
  parseConfig,
  providerUrls,
  unreachableReason,
  variables,
} from './config.ts'
import { testFolder } from './ports/testing/test-folder.ts'

/** The one-line error of a start with these variables. */
function lineOf(env: Record<string, string>): string {
  try {
    parseConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return 'taken'
}

it('the configuration is complete without any variable', () => {
  const config = parseConfig({})
  expect(config).toMatchObject({
    PORT: 3000,
    PAYMENTS: 'sandbox',
    paisePerUsd: 8650,
    ROLES: ['api', 'projector', 'worker'],
  })
  expect(config.PUBLIC_URL).toBe('http://localhost:3000')
})

it('docs/configuration.md describes every variable', () => {
  const page = readFileSync(new URL('../docs/configuration.md', import.meta.url), 'utf8')
  expect(variables.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

it('the configuration accepts fractions of minutes and a part of the roles', () => {
  expect(parseConfig({ ORDER_TTL_MINUTES: '0.05', ROLES: 'api, worker' })).toMatchObject({
    ORDER_TTL_MINUTES: 0.05,
    ROLES: ['api', 'worker'],
  })
})

it.each([
  ['PORT', 'abc'],
  ['PORT', '70000'],
  ['ROLES', 'api,cook'],
  ['SHOP_TIME_ZONE', 'Moon/Base'],
  ['INR_PER_USD', '86.555'],
  ['ORDER_TTL_MINUTES', '0'],
  ['RESERVATION_TTL_MINUTES', '2'],
  ['TRUST_PROXY', 'yes'],
  ['TRUST_PROXY', '0'],
  ['TRUST_PROXY', '11'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['TRUST_PROXY', '0.0.0.0/0'],
  ['TRUST_PROXY', 'loopback,proxy.example'],
])('the error names %s when it is %s', (name, value) => {
  expect(() => parseConfig({ [name]: value })).toThrow(ConfigError)
  expect(() => parseConfig({ [name]: value })).toThrow(name)
  expect(() => parseConfig({ [name]: value })).not.toThrow('\n')
})

it('a value may come from the file that NAME_FILE names', () => {
  const file = join(testFolder(), 'key')
  writeFileSync(file, 'from-the-file\n')
  expect(parseConfig({ NOWPAYMENTS_API_KEY_FILE: file }).NOWPAYMENTS_API_KEY).toBe('from-the-file')
  writeFileSync(file, '\n')
  expect(lineOf({ VAULT_URL_FILE: file })).toBe(`VAULT_URL_FILE names ${file}, which is empty`)
  writeFileSync(file, '"from-the-file"\n')
  expect(lineOf({ NOWPAYMENTS_API_KEY_FILE: file })).toMatch(/^NOWPAYMENTS_API_KEY is in quotes/)
  expect(() => parseConfig({ NOWPAYMENTS_API_KEY_FILE: file, NOWPAYMENTS_API_KEY: 'one' })).toThrow(
    'NOWPAYMENTS_API_KEY and NOWPAYMENTS_API_KEY_FILE are both set; remove one',
  )
  rmSync(file)
  expect(() => parseConfig({ NOWPAYMENTS_API_KEY_FILE: file })).toThrow(
    `NOWPAYMENTS_API_KEY_FILE names ${file}, which cannot be read (ENOENT)`,
  )
  for (const secret of ['abc/def0123456789', 'mongodb://shop:hunter2@host/shop', 'hunter2'])
    expect(lineOf({ NOWPAYMENTS_API_KEY_FILE: secret })).toBe(
      'NOWPAYMENTS_API_KEY_FILE names a file, which cannot be read (ENOENT); the value itself goes into NOWPAYMENTS_API_KEY',
    )
})

it.each([
  { PUBLIC_URL: ' HTTPS://shop.example' },
  { PUBLIC_URL: 'http://192.168.1.5:3000' },
  { HOST: '0.0.0.0' },
  { HOST: '::' },
  { TRUST_PROXY: 'loopback' },
  { NODE_ENV: 'production' },
  { NODE_ENV: 'Prod' },
])('a shop that buyers may reach needs PAYMENTS to be set: %o', (env) => {
  expect(lineOf(env)).toMatch(/^PAYMENTS must be set to live or sandbox, since \w+ is /)
  expect(parseConfig({ ...env, PAYMENTS: 'sandbox' }).PAYMENTS).toBe('sandbox')
})

it.each([
  { HOST: 'localhost' },
  { HOST: '::1' },
  { PUBLIC_URL: 'https://127.0.0.1:8080' },
  { NODE_ENV: 'development' },
])('a shop on one machine plays payments by default: %o', (env) => {
  expect(parseConfig(env).PAYMENTS).toBe('sandbox')
})

it.each(['off', 'on', '2', '10.0.0.1', '10.0.0.0/8, fd00::/8', 'loopback,uniquelocal'])(
  'TRUST_PROXY accepts %s',
  (value) => {
    expect(parseConfig({ PAYMENTS: 'sandbox', TRUST_PROXY: value }).TRUST_PROXY).toBe(value)
  },
)

it('variables with names of other programs are found', () => {
  expect(foreignNames({ KURRENTDB_URL: 'kdb://h', DATABASE_URL: 'mongodb://h', MONGO_URI: 'x', PORT: '1' })).toEqual([
    { name: 'KURRENTDB_URL', meant: 'EVENTSTOREDB_URL' },
    { name: 'DATABASE_URL', meant: 'MONGODB_URL or VAULT_URL' },
    { name: 'MONGO_URI', meant: 'MONGODB_URL' },
  ])
})

it.for([
  ['ORDER_TTL_MINUTE', 'ORDER_TTL_MINUTES'],
  ['ORDERS_TTL_MINUTS', 'ORDER_TTL_MINUTES'],
  ['TTL_ORDER_MINUTES', 'ORDER_TTL_MINUTES'],
  ['PAYPAL_SECRET', 'PAYPAL_CLIENT_SECRET'],
  ['PAYPAL_SECRET_FILE', 'PAYPAL_CLIENT_SECRET_FILE'],
  ['PAYPAL_ID', 'PAYPAL_CLIENT_ID or PAYPAL_WEBHOOK_ID'],
  ['CLIENT_PAYPAL_ID', 'PAYPAL_CLIENT_ID'],
  ['NOWPAYMENT_API_KEY', 'NOWPAYMENTS_API_KEY'],
  ['CASHFREE_SECRET', 'CASHFREE_CLIENT_SECRET'],
  ['DELIVERY_URL', 'DELIVERY_WEBHOOK_URL'],
  ['DISCORD_URL', 'DISCORD_DM_URL, DISCORD_SERVER_URL or DISCORD_WEBHOOK_URL'],
  ['TELEGRAM_TOKEN', 'TELEGRAM_BOT_TOKEN'],
  ['EVENTSTORE_DB_URL', 'EVENTSTOREDB_URL'],
  ['MONGO_DB_URL', 'MONGODB_URL'],
  ['LOGLEVEL', 'LOG_LEVEL'],
] as const)('%s is told as a misspelt %s', ([name, meant]) => {
  expect(foreignNames({ [name]: 'x', PORT: '1' })).toEqual([{ name, meant }])
})

it('names of other programs and of systems are not told', () => {
  const others =
    'HOSTNAME HOSTTYPE USERNAME LANGUAGE LOGNAME PORTS NODE_OPTIONS NODE_DEBUG NODE_COMPILE_CACHE SQLITE_TMPDIR REDIS_PORT REDIS_HOST MONGODB_PORT COINSHOP_SERVICE_HOST COINSHOP_VERSION npm_config_cache XDG_DATA_DIRS SSH_CLIENT DATABASE_HOST INVOCATION_ID JOURNAL_STREAM MEMORY_PRESSURE_WATCH KUBERNETES_PORT EVENTSTOREDB_CONTROL'
  const env = Object.fromEntries([...others.split(' '), ...variables].map((name) => [name, 'x']))
  expect(foreignNames(env)).toEqual([])
})

it('a live shop does not start with a misspelt variable of a payment, the delivery or a secret', () => {
  const live = { PAYMENTS: 'live', PUBLIC_URL: 'https://shop.example' }
  for (const name of ['PAYPAL_SECRET', 'DELIVERY_WEBHOOK_URLS', 'JWT_SECRETS', 'UPIGATEWAY_KEYS', 'ADMIN_PASSWORT'])
    expect(lineOf({ ...live, [name]: 'x' })).toMatch(new RegExp(`^${name} is no variable of the shop; is \\w+ meant`))
  expect(() => parseConfig({ ...live, ORDER_TTL_MINUTE: '30' })).not.toThrow()
  expect(() => parseConfig({ PAYMENTS: 'sandbox', PAYPAL_SECRET: 'x' })).not.toThrow()
})

it('a contact must be an address', () => {
  expect(() => parseConfig({ DISCORD_DM_URL: 'http://discord.com/' })).toThrow(/^DISCORD_DM_URL must be an address/)
  expect(() => parseConfig({ DISCORD_SERVER_URL: 'discord.gg/coins' })).toThrow(
    /^DISCORD_SERVER_URL must be an address/,
  )
  expect(() => parseConfig({ SUPPORT_EMAIL: 'help at shop' })).toThrow(/^SUPPORT_EMAIL must be an e-mail address/)
})

it('delivery is by staff unless there is a bot or DELIVERY is set', () => {
  const bot = { DELIVERY_WEBHOOK_URL: 'https://bot.test/', DELIVERY_WEBHOOK_SECRET: 's'.repeat(32) }
  expect(parseConfig({}).DELIVERY).toBe('staff')
  expect(parseConfig(bot).DELIVERY).toBe('webhook')
  expect(parseConfig({ ...bot, DELIVERY: 'staff' }).DELIVERY).toBe('staff')
  expect(parseConfig({ DELIVERY: 'instant' }).DELIVERY).toBe('instant')
  expect(() => parseConfig({ DELIVERY: 'by-hand' })).toThrow('DELIVERY must be staff, webhook or instant')
})

it('delivery by a bot needs an address and a secret', () => {
  expect(lineOf({ DELIVERY: 'webhook' })).toMatch(/^DELIVERY_WEBHOOK_URL must be set where DELIVERY is webhook/)
  expect(lineOf({ DELIVERY_WEBHOOK_URL: 'https://bot.test/' })).toContain('DELIVERY_WEBHOOK_SECRET')
})

const SMTP_URL = 'smtps://me:p%40ss@mail.example'
const telegram = { TELEGRAM_BOT_TOKEN: `1:${'a'.repeat(30)}`, TELEGRAM_CHAT_ID: '-100123' }

it.for<[given: Record<string, string>, line: string]>([
  [{ SMTP_URL }, 'MAIL_FROM must be set where SMTP_URL is, so that mails have a sender'],
  [{ MAIL_FROM: 'a@b.example' }, 'SMTP_URL must be set where MAIL_FROM is, so that there is a server that sends mails'],
  [
    { OWNER_MAIL: 'a@b.example' },
    'SMTP_URL must be set where OWNER_MAIL is, so that there is a server that sends mails',
  ],
  [
    { TELEGRAM_BOT_TOKEN: telegram.TELEGRAM_BOT_TOKEN },
    'TELEGRAM_CHAT_ID must be set where TELEGRAM_BOT_TOKEN is, so that the bot knows where to write',
  ],
  [
    { TELEGRAM_CHAT_ID: '1' },
    'TELEGRAM_BOT_TOKEN must be set where TELEGRAM_CHAT_ID is, so that there is a bot that writes',
  ],
  [{ ...telegram, SMTP_URL, MAIL_FROM: 'a@b.example', OWNER_MAIL: 'c@d.example' }, 'taken'],
])('a way to reach people needs all of its variables: %j', ([given, line]) => {
  expect(lineOf(given)).toBe(line)
})

it('a live shop needs https addresses of providers, except on this machine', () => {
  for (const host of ['api.nowpayments.io', '10.0.0.5:4100', 'double:4100']) {
    const env = { NOWPAYMENTS_URL: `http://${host}/v1` }
    expect(lineOf({ ...env, PAYMENTS: 'live' })).toMatch(/^NOWPAYMENTS_URL must begin with https/)
    expect(parseConfig(env)).toMatchObject(env)
  }
  for (const host of ['localhost', '127.0.0.1', '[::1]']) {
    const env = { NOWPAYMENTS_URL: `http://${host}:4100/v1` }
    expect(parseConfig({ ...env, PAYMENTS: 'live' })).toMatchObject(env)
  }
})

it.each(providerUrls)('the default address %s is not a test address, and its sandbox is', (name) => {
  const config = parseConfig({})
  expect(isTestAddress(config, name)).toBe(false)
  expect(isTestAddress(parseConfig({ [name]: config[name].replace('.', '-sandbox.') }), name)).toBe(true)
})

it.each([
  ['NOWPAYMENTS_URL', 'https://API.nowpayments.io:443/v1/'],
  ['NOWPAYMENTS_URL', 'https://api.nowpayments.io./v1'],
  ['NOWPAYMENTS_URL', 'https://api.nowpayments.io'],
  ['UPIGATEWAY_URL', 'https://merchant.upigateway.com/api'],
  ['PAYPAL_URL', 'https://api.paypal.com'],
] as const)('the address %s=%s is not a test address', (name, url) => {
  expect(isTestAddress(parseConfig({ [name]: url }), name)).toBe(false)
})

it('webhooks reach only public https addresses', () => {
  const reached = ['https://shop.example', 'https://8.8.8.8', 'https://shop.example:8443']
  const apart = ['http://localhost:3000', 'https://127.0.0.1', 'https://192.168.1.5', 'https://10.1.2.3:8443']
  const others = [...apart, 'https://[fd00::1]', 'https://shop', 'http://shop.example']
  expect([...reached, ...others].filter((url) => unreachableReason(url) === undefined)).toEqual(reached)
})

const QUOTED = 'is in quotes, which would be part of its value: write it without them'
const RAW = 'has / # ? @ or % in its user or password: write these there as %2F %23 %3F %40 %25'
const NO_FOLDER = 'must be the whole path of a folder: ~ and variables such as $HOME are not replaced here'
const NO_URL = 'must be an address that begins with https:// or http://'
const NO_USER = 'must be an address without user and password'
const NO_QUERY = 'must be an address without ? and #'
const NO_ORIGIN = 'must end with the host or its port: the shop answers at no other path than /'
const NO_HOST = 'must be an address with a host that can be read'
const NO_EMAIL = 'must be an e-mail address and nothing else, such as owner@shop.example'
const NO_REDIS =
  'must name one host, and after it nothing but a port and the number of a database, such as redis://host:6379/0'
const NO_SMTP = 'must name one host, and after it nothing but a port, such as smtp://user:password@host:587'
const NO_PASSWORD = 'must have both a user and a password, or neither, such as smtp://user:password@host:587'
const NO_HTTPS = 'must begin with https://, unless it is on this machine'
const NO_WEBHOOK =
  'must be the address that Discord shows for a webhook, such as https://discord.com/api/webhooks/1/abc'
const NO_CHAT = "must be a chat's number, such as -1001234567890, or a channel's @name"
const NO_ESDB =
  'must be an address that begins with esdb:// or esdb+discover:// (for a KurrentDB, too: not kurrentdb:// or kdb://)'

it.each([
  ['PORT', ' 8080\r', 8080],
  ['DATA_DIR', ' ./data ', './data'],
  ['DATA_DIR', 'C:\\shop\\data', 'C:\\shop\\data'],
  ['ADMIN_PASSWORD', 'a "quoted" word \r', 'a "quoted" word'],
  ['METRICS_TOKEN', `${'m'.repeat(32)}\r`, 'm'.repeat(32)],
  ['SHOP_NAME', "Otto's coins ", "Otto's coins"],
  ['PUBLIC_URL', ' HTTPS://shop.example:443 ', 'https://shop.example'],
  ['PUBLIC_URL', 'https://[2001:DB8::1]:8443', 'https://[2001:db8::1]:8443'],
  ['NOWPAYMENTS_URL', 'https://API.nowpayments.io:443/v1/', 'https://api.nowpayments.io/v1'],
  ['DELIVERY_WEBHOOK_URL', 'https://bot.example/give?key=1', 'https://bot.example/give?key=1'],
  ['MONGODB_URL', 'mongodb://h1:27017,h2:27017/db', 'mongodb://h1:27017,h2:27017/db'],
  ['VAULT_URL', 'mongodb+srv://shop:p%40ss@cluster.example/v', 'mongodb+srv://shop:p%40ss@cluster.example/v'],
  ['REDIS_URL', 'rediss://:p%23ss@host:6380/12', 'rediss://:p%23ss@host:6380/12'],
  ['REDIS_URL', 'redis://[::1]', 'redis://[::1]'],
  ['TELEGRAM_URL', 'http://127.0.0.1:4106/', 'http://127.0.0.1:4106'],
  ['ADMIN_EMAIL', ' owner@localhost ', 'owner@localhost'],
  ['SUPPORT_EMAIL', "o'neil+help@shop.co.uk", "o'neil+help@shop.co.uk"],
  ['SUPPORT_EMAIL', 'hilfe@müller.example', 'hilfe@müller.example'],
] as const)('%s=%j is accepted', (name, given, taken) => {
  const env = { PAYMENTS: 'sandbox', DELIVERY_WEBHOOK_SECRET: 's'.repeat(32), [name]: given }
  expect(parseConfig(env)[name]).toBe(taken)
})

it.each([
  ['DATA_DIR', '"/var/lib/coinshop"', QUOTED],
  ['DATA_DIR', '~/coinshop', `${NO_FOLDER} (it is set to "~/coinshop")`],
  ['DATA_DIR', '/srv/${USER}/data', `${NO_FOLDER} (it is set to "/srv/\${USER}/data")`],
  ['DATA_DIR', ' ', 'must not be blank: give it a value, or remove it'],
  ['VAULT_URL', '\r', 'must not be blank: give it a value, or remove it'],
  ['ADMIN_PASSWORD', 'x'.repeat(1_001), 'must have at most 1000 characters'],
  ['METRICS_TOKEN', `\u201C${'m'.repeat(32)}\u201D`, QUOTED],
  ['VAULT_URL_FILE', '"/run/secrets/vault_url"', QUOTED],
  ['PUBLIC_URL', 'shop.example', `${NO_URL} (it is set to "shop.example")`],
  ['PUBLIC_URL', 'https://shop.example/coins', `${NO_ORIGIN} (it is set to "https://shop.example/coins")`],
  ['PUBLIC_URL', 'https://shop.example?x=1', `${NO_ORIGIN} (it is set to "https://shop.example?x=1")`],
  ['PUBLIC_URL', 'https://me:hunter2@shop.example', `${NO_USER} (it is set to "https://shop.example")`],
  ['PUBLIC_URL', 'https://a.example,b.example', `${NO_HOST} (it is set to "https://a.example,b.example")`],
  ['PUBLIC_URL', 'https://', `${NO_HOST} (it is set to "https://")`],
  ['PAYPAL_URL', 'https://paypal.com?x=1', `${NO_QUERY} (it is set to "https://paypal.com?x=1")`],
  ['DELIVERY_WEBHOOK_URL', 'https://me:hunter2@bot.example', NO_USER],
  ['MONGODB_URL', 'localhost:27017', 'must be an address that begins with mongodb:// or mongodb+srv://'],
  ['MONGODB_URL', 'mongodb://shop:hunter/2@host/db', RAW],
  ['VAULT_URL', 'mongodb://shop:hunter#2@host/db', RAW],
  ['VAULT_URL', 'mongodb+srv://shop:100%sure@host/db', RAW],
  ['REDIS_URL', 'redis://:hunter?2@host', RAW],
  ['REDIS_URL', 'redis:///run/redis.sock', NO_REDIS],
  ['REDIS_URL', 'redis://host/abc', NO_REDIS],
  ['REDIS_URL', 'redis://h1:6379,h2:6379', NO_REDIS],
  ['EVENTSTOREDB_URL', 'kdb://host:2113', NO_ESDB],
  ['EVENTSTOREDB_URL', 'esdb://admin:hunter/2@host:2113', RAW],
  ['ADMIN_EMAIL', 'Owner <owner@shop.example>', `${NO_EMAIL} (it is set to "Owner <owner@shop.example>")`],
  ['ADMIN_EMAIL', 'owner@', `${NO_EMAIL} (it is set to "owner@")`],
  ['SUPPORT_EMAIL', 'mailto:help@shop.example', `${NO_EMAIL} (it is set to "mailto:help@shop.example")`],
  ['SUPPORT_EMAIL', 'a@shop.example,b@shop.example', `${NO_EMAIL} (it is set to "a@shop.example,b@shop.example")`],
  ['SMTP_URL', 'mail.example', 'must be an address that begins with smtp:// or smtps://'],
  ['SMTP_URL', 'smtp://me:hunter/2@mail.example', RAW],
  ['SMTP_URL', 'smtp://mail.example/?pool=true', NO_SMTP],
  ['SMTP_URL', 'smtp://me@mail.example', NO_PASSWORD],
  ['MAIL_FROM', 'Shop <orders@shop.example>', NO_EMAIL],
  ['OWNER_MAIL', 'me@shop.example,you@shop.example', NO_EMAIL],
  ['DISCORD_WEBHOOK_URL', 'http://discord.com/api/webhooks/1/a', NO_HTTPS],
  ['DISCORD_WEBHOOK_URL', 'https://discord.gg/coins', NO_WEBHOOK],
  ['TELEGRAM_BOT_TOKEN', 'bot123', 'must be the token that @BotFather shows, such as 123456789:AAbb...'],
  ['TELEGRAM_CHAT_ID', 'https://t.me/me', NO_CHAT],
  ['TELEGRAM_URL', 'http://telegram.example', NO_HTTPS],
  ['MESSAGES', 'no', 'must be on or off (it is set to "no")'],
  ['LOG_LEVEL', 'verbose', 'must be one of fatal, error, warn, info, debug, trace, silent (it is set to "verbose")'],
  ['SHOP_NAME', 'x'.repeat(61), `must have at most 60 characters (it is set to "${'x'.repeat(61)}")`],
  ['JWT_SECRET', 'hunter2', 'must have at least 32 characters'],
])('%s=%j is rejected in one line', (name, given, line) => {
  expect(lineOf({ PAYMENTS: 'sandbox', [name]: given })).toBe(`${name} ${line}`)
})
