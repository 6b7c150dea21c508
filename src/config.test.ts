import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, isTestAddress, misspeltNames, parseConfig, unreachableReason, unreachableShop } from './config.ts'

const way = (env: Record<string, string>) => unreachableShop(parseConfig(env))

describe('the configuration', () => {
  it('needs nothing to be set', () => {
    const config = parseConfig({})
    expect(config).toMatchObject({
      PORT: 3000,
      PAYMENTS: 'sandbox',
      paisePerUsd: 8650,
      ROLES: ['api', 'projector', 'worker'],
    })
    expect(config.PUBLIC_URL).toBe('http://localhost:3000')
  })

  it('takes a fraction of a minute and a part of the roles', () => {
    expect(parseConfig({ ORDER_TTL_MINUTES: '0.05', ROLES: 'api, worker' })).toMatchObject({
      ORDER_TTL_MINUTES: 0.05,
      ROLES: ['api', 'worker'],
    })
  })

  it('treats an empty value as not set', () => {
    expect(parseConfig({ PORT: '' }).PORT).toBe(3000)
  })

  it.each([
    ['PORT', 'abc'],
    ['PORT', '70000'],
    ['ROLES', 'api,cook'],
    ['PAYMENTS', 'maybe'],
    ['SHOP_TIME_ZONE', 'Moon/Base'],
    ['INR_PER_USD', '86.555'],
    ['ORDER_TTL_MINUTES', '0'],
    ['RESERVATION_TTL_MINUTES', '2'],
    ['MONGODB_URL', 'http://localhost'],
    ['JWT_SECRET', 'short'],
    ['LOG_LEVEL', 'loud'],
    ['TRUST_PROXY', 'yes'],
    ['TRUST_PROXY', '0'],
    ['TRUST_PROXY', '11'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', 'fe80::1%eth0'],
    ['TRUST_PROXY', 'loopback,proxy.example'],
  ])('names %s when it is %s', (name, value) => {
    expect(() => parseConfig({ [name]: value })).toThrow(ConfigError)
    expect(() => parseConfig({ [name]: value })).toThrow(name)
    expect(() => parseConfig({ [name]: value })).not.toThrow('\n')
  })

  it('reads a value from the file that NAME_FILE names', () => {
    const folder = mkdtempSync(join(tmpdir(), 'config-'))
    const file = join(folder, 'key')
    writeFileSync(file, 'from-the-file\n')
    expect(parseConfig({ NOWPAYMENTS_API_KEY_FILE: file }).NOWPAYMENTS_API_KEY).toBe('from-the-file')
    writeFileSync(file, '\n')
    expect(parseConfig({ NOWPAYMENTS_API_KEY_FILE: file }).NOWPAYMENTS_API_KEY).toBeUndefined()
    expect(() => parseConfig({ NOWPAYMENTS_API_KEY_FILE: file, NOWPAYMENTS_API_KEY: 'one' })).toThrow(
      'NOWPAYMENTS_API_KEY and NOWPAYMENTS_API_KEY_FILE are both set; remove one',
    )
    rmSync(folder, { recursive: true })
    expect(() => parseConfig({ NOWPAYMENTS_API_KEY_FILE: file })).toThrow(
      `NOWPAYMENTS_API_KEY_FILE names ${file}, which cannot be read (ENOENT)`,
    )
  })

  it('never prints a secret', () => {
    expect(() => parseConfig({ JWT_SECRET: 'hunter2' })).not.toThrow('hunter2')
  })

  it('does not take play money in production unless it is asked to', () => {
    expect(() => parseConfig({ NODE_ENV: 'production' })).toThrow('PAYMENTS')
    expect(parseConfig({ NODE_ENV: 'production', PAYMENTS: 'sandbox' }).PAYMENTS).toBe('sandbox')
  })

  it.each([{ PUBLIC_URL: 'https://shop.example' }, { HOST: '0.0.0.0' }, { HOST: '192.168.1.5' }, { HOST: '::' }])(
    'does not take play money that nobody asked for where strangers may come: %o',
    (env) => {
      expect(() => parseConfig(env)).toThrow('PAYMENTS must be set to live or sandbox')
      expect(parseConfig({ ...env, PAYMENTS: 'sandbox' }).PAYMENTS).toBe('sandbox')
    },
  )

  it.each([{ HOST: '127.0.0.1' }, { HOST: 'localhost' }, { HOST: '::1' }, { PUBLIC_URL: 'http://shop.test' }])(
    'plays at home without being asked: %o',
    (env) => {
      expect(parseConfig(env).PAYMENTS).toBe('sandbox')
    },
  )

  it.each(['off', 'on', '2', 'loopback', '10.0.0.1', '10.0.0.0/8, fd00::/8', 'loopback,uniquelocal'])(
    'trusts the proxy %s',
    (value) => {
      expect(parseConfig({ TRUST_PROXY: value }).TRUST_PROXY).toBe(value)
    },
  )

  it('finds names that may be misspelt, and leaves others alone', () => {
    const env = {
      PAYMENT: 'live',
      ORDER_TTL_MINUTE: '5',
      TRUST_PROXYS: 'on',
      payments: 'live',
      PORT: '1',
      PATH: '/bin',
      HOSTNAME: 'a',
      HOME: '/',
    }
    expect(misspeltNames(env)).toEqual([
      { name: 'PAYMENT', meant: 'PAYMENTS' },
      { name: 'ORDER_TTL_MINUTE', meant: 'ORDER_TTL_MINUTES' },
      { name: 'TRUST_PROXYS', meant: 'TRUST_PROXY' },
      { name: 'payments', meant: 'PAYMENTS' },
    ])
  })

  it('warns where buyers have no way to write to the shop, and takes only ways that lead there', () => {
    expect(way({})).toMatch(/set DISCORD_DM_URL, DISCORD_SERVER_URL, SUPPORT_EMAIL$/)
    expect(way({ ROLES: 'projector' })).toBeUndefined()
    expect(way({ DISCORD_DM_URL: 'https://discord.com/users/1' })).toBeUndefined()
    expect(way({ DISCORD_SERVER_URL: 'https://discord.gg/coins' })).toBeUndefined()
    expect(way({ SUPPORT_EMAIL: 'help@shop.example' })).toBeUndefined()
    expect(() => way({ DISCORD_DM_URL: 'http://discord.com/' })).toThrow(/^DISCORD_DM_URL must be an address/)
    expect(() => way({ DISCORD_SERVER_URL: 'discord.gg/coins' })).toThrow(/^DISCORD_SERVER_URL must be an address/)
    expect(() => way({ SUPPORT_EMAIL: 'help at shop' })).toThrow(/^SUPPORT_EMAIL must be an e-mail address/)
  })

  it('hands over by staff, unless there is a bot or DELIVERY is set', () => {
    const bot = { DELIVERY_WEBHOOK_URL: 'https://bot.test/', DELIVERY_WEBHOOK_SECRET: 's'.repeat(32) }
    expect(parseConfig({}).DELIVERY).toBe('staff')
    expect(parseConfig(bot).DELIVERY).toBe('webhook')
    expect(parseConfig({ ...bot, DELIVERY: 'staff' }).DELIVERY).toBe('staff')
    expect(parseConfig({ DELIVERY: 'instant' }).DELIVERY).toBe('instant')
    expect(() => parseConfig({ DELIVERY: 'by-hand' })).toThrow('DELIVERY must be staff, webhook or instant')
  })

  it('does not start for a bot without an address', () => {
    expect(() => parseConfig({ DELIVERY: 'webhook' })).toThrow(
      'DELIVERY_WEBHOOK_URL must be set where DELIVERY is webhook',
    )
  })

  it('does not call a delivery bot unsigned', () => {
    expect(() => parseConfig({ DELIVERY_WEBHOOK_URL: 'https://bot.test/' })).toThrow('DELIVERY_WEBHOOK_SECRET')
  })
})

const isTest = (url?: string) => isTestAddress(parseConfig({ NOWPAYMENTS_URL: url }), 'NOWPAYMENTS_URL')

describe('the addresses of providers', () => {
  it.each(['http://api.nowpayments.io/v1', 'http://10.0.0.5:4100/v1', 'http://double:4100/v1'])(
    'are encrypted where real money is taken: %s is not',
    (url) => {
      expect(() => parseConfig({ PAYMENTS: 'live', NOWPAYMENTS_URL: url })).toThrow(
        /^NOWPAYMENTS_URL must begin with https/,
      )
      expect(parseConfig({ NOWPAYMENTS_URL: url }).NOWPAYMENTS_URL).toBe(url)
    },
  )

  it.each(['http://localhost:4100/v1', 'http://127.0.0.1:4100/v1', 'http://[::1]:4100/v1'])('may be %s', (url) => {
    expect(parseConfig({ PAYMENTS: 'live', NOWPAYMENTS_URL: url }).NOWPAYMENTS_URL).toBe(url)
  })

  it('differ from those of a test', () => {
    expect([isTest(), isTest('https://api.nowpayments.io/v1/')]).toEqual([false, false])
    expect(isTest('https://api-sandbox.nowpayments.io/v1')).toBe(true)
  })
})

describe('the public address', () => {
  it.each([
    'http://localhost:3000',
    'https://127.0.0.1',
    'https://192.168.1.5',
    'https://10.1.2.3:8443',
    'https://[fd00::1]',
    'https://shop',
    'http://shop.example',
  ])('%s is reached by no webhook', (url) => expect(unreachableReason(url)).toBeDefined())

  it.each(['https://shop.example', 'https://8.8.8.8', 'https://shop.example:8443/coins'])('%s is', (url) =>
    expect(unreachableReason(url)).toBeUndefined(),
  )
})
