import { type Config, isLoopback } from '../config.ts'
import { centsToText } from '../domain/money.ts'
import { ownText, type Settings } from '../domain/settings/settings.ts'
import { type Sold, soldWords, type SoldWords } from '../domain/settings/shop-texts.ts'
import type { Sender } from '../messages/smtp.ts'
import type { CommandContext } from './command-context.ts'

type Facts = Pick<CommandContext, 'config'> & { readonly hot: Pick<CommandContext['hot'], 'currentSettings'> }

/** The name that counts now: the owner's, else the variable's. */
export function shopName({ config, hot }: Facts): string {
  return ownText(hot.currentSettings(), 'shopName') ?? config.SHOP_NAME
}

export function sold({ hot }: Pick<Facts, 'hot'>): Sold {
  const settings = hot.currentSettings()
  return { game: ownText(settings, 'gameName') ?? null, coin: ownText(settings, 'coinName') ?? null }
}

export function wordsOf(facts: Pick<Facts, 'hot'>): SoldWords {
  return soldWords(sold(facts))
}

/** The texts that the server writes into a page; empty where the owner has set none. */
export function pageWordsOf(facts: Facts): Readonly<Record<string, string>> {
  const { game, coin } = sold(facts)
  return { name: shopName(facts), game: game ?? '', coin: coin ?? '', ...soldWords({ game, coin }) }
}

export interface Contact {
  readonly discordDmUrl: string | null
  readonly discordServerUrl: string | null
  readonly supportEmail: string | null
}

/** How buyers reach the shop: each the owner's, else the variable's. */
export function contactOf({ config, hot }: Facts): Contact {
  const settings = hot.currentSettings()
  return {
    discordDmUrl: ownText(settings, 'discordDmUrl') ?? config.DISCORD_DM_URL ?? null,
    discordServerUrl: ownText(settings, 'discordServerUrl') ?? config.DISCORD_SERVER_URL ?? null,
    supportEmail: ownText(settings, 'supportEmail') ?? config.SUPPORT_EMAIL ?? null,
  }
}

/** What mails say of the shop. */
export function mailSender(facts: Facts): Sender {
  return { name: shopName(facts), replyTo: contactOf(facts).supportEmail }
}

export function hasContact(facts: Facts): boolean {
  return Object.values(contactOf(facts)).some((way) => way !== null)
}

export interface Seller {
  readonly name: string
  readonly address: string
  readonly taxNumber: string
  readonly line: string
}

/** Who sells, as a receipt has to say it; undefined until the owner has set any of it. Only for staff and the order's own buyer. */
export function sellerOf({ hot }: Pick<Facts, 'hot'>): Seller | undefined {
  const { sellerName = '', sellerAddress = '', sellerTaxNumber = '', sellerLine = '' } = hot.currentSettings()
  const seller = { name: sellerName, address: sellerAddress, taxNumber: sellerTaxNumber, line: sellerLine }
  return Object.values(seller).some((text) => text !== '') ? seller : undefined
}

/** Whether strangers pay the price that the shop opened with, which staff have neither changed nor confirmed. */
export function isOpeningPriceOnSale(
  { PAYMENTS, PUBLIC_URL }: Pick<Config, 'PAYMENTS' | 'PUBLIC_URL'>,
  settings: Settings,
): boolean {
  return PAYMENTS === 'live' && !isLoopback(new URL(PUBLIC_URL).hostname) && settings.priceConfirmed !== true
}

/** For the start and the doctor. */
export function openingPriceText({ basePriceCents }: Pick<Settings, 'basePriceCents'>, stockM: number): string {
  return `the opening price is on sale (${stockM}M at $${centsToText(basePriceCents)})`
}
