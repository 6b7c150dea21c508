import { expect, it } from 'vitest'
import { placed } from '../domain/testing/order-samples.ts'
import { shopLog } from '../projections/testing/shop-log.ts'
import { memoryVault } from '../engines/vault/testing/memory-vault.ts'
import { acceptBuyers, countUnreadable, forgetBuyersAfter } from './known-buyers.ts'

const KEY = new Uint8Array(32)

/** Orders of these customers, one after another. */
async function ordersOf(...customerIds: string[]) {
  const context = shopLog()
  for (const [index, customerId] of customerIds.entries())
    await context.record(placed({ orderId: `7f8d5c9e-0000-4000-8000-00000000000${index}`, customerId }))
  return context.log
}

async function vaultOf(...customerIds: string[]) {
  const vault = memoryVault()
  for (const customerId of customerIds) await vault.customerByEmail(customerId, { customerId, key: KEY })
  return vault
}

it('orders of unknown buyers are counted, those of erased buyers are not', async () => {
  const log = await ordersOf('anna', 'bert', 'anna', 'bert', 'carl', 'dora')
  const vault = await vaultOf('anna', 'carl')
  await vault.deleteCustomers(['dora'])
  expect(await countUnreadable({ log, vault })).toBe(2)
})

it('orders of unknown buyers are counted again from the first one on', async () => {
  const log = await ordersOf('anna', 'bert', 'carl', 'bert')
  const vault = await vaultOf('anna', 'carl')
  expect(await countUnreadable({ log, vault })).toBe(2)
  expect(await countUnreadable({ log, vault })).toBe(2)
  await vault.deleteCustomers(['bert'])
  expect(await countUnreadable({ log, vault })).toBe(0)
})

it('accepted buyers are not counted again', async () => {
  const log = await ordersOf('anna', 'bert')
  const vault = await vaultOf()
  expect(await countUnreadable({ log, vault })).toBe(2)
  await acceptBuyers(vault, await log.head())
  expect(await countUnreadable({ log, vault })).toBe(0)
})

it('buyers after the lost end of a log are counted again', async () => {
  const log = await ordersOf('anna', 'bert')
  const vault = await vaultOf('anna')
  await acceptBuyers(vault, '99999999999999999999')
  await forgetBuyersAfter(vault, '1'.padStart(20, '0'))
  expect(await countUnreadable({ log, vault })).toBe(1)
})
