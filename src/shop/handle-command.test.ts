import { expect, it } from 'vitest'
import { catalogue } from '../domain/product/product.ts'
import { AppendConflict } from '../engines/event-store/event-store.ts'
import { changeSettings } from '../commands/change-settings.ts'
import { handleCommand, readState, TRIES_MAX } from './handle-command.ts'
import { handleProduct } from '../commands/handle-product.ts'
import { PRODUCTS_STREAM, SETTINGS_STREAM } from '../domain/stream-names.ts'
import { initializeShop } from '../commands/initialize-shop.ts'
import { ShopBusy } from './shop-busy.ts'
import { after, beaten } from '../engines/testing/interposed.ts'
import { STOCK, testShop, type TestShop } from '../testing/test-shop.ts'

const PRODUCT = PRODUCTS_STREAM
const at = '2026-01-01T00:00:00.000Z'

function creation(name: string) {
  const fields = { name, description: '', quantityM: 10, active: true, position: 1 }
  return { type: 'CreateProduct', productId: '1', fields, adminId: 'owner', at } as const
}

async function rename({ context, caller }: TestShop, name: string) {
  return handleProduct(context, caller(), {
    type: 'ChangeProduct',
    productId: '1',
    changes: { name },
    adminId: 'owner',
    at,
  })
}

async function shopWithProduct(): Promise<TestShop> {
  const test = await testShop()
  await test.ask(handleProduct, creation('Starter'))
  return test
}

it('a command that lost a race is decided again on the new events', async () => {
  const test = await shopWithProduct()
  test.store.failNext(
    PRODUCT,
    after(async () => rename(test, 'Faster')),
  )
  await rename(test, 'Slower')
  const events = await test.eventsOf(PRODUCT)
  expect(events.map(({ type }) => type)).toEqual(['ProductCreated', 'ProductChanged', 'ProductChanged'])
  expect(new Set(events.map(({ id }) => id)).size).toBe(3)
})

it('a command decides on the state that it is given, and reads the stream only after a lost race', async () => {
  const test = await shopWithProduct()
  let reads = 0
  const read = async () => {
    reads += 1
    return readState(test.context, catalogue, PRODUCT)
  }
  const given = await read()
  for (const name of ['Second', 'Third']) {
    const command = { type: 'ChangeProduct', productId: '1', changes: { name }, adminId: 'owner', at } as const
    const request = { stream: PRODUCT, command, caller: test.caller(), at: given, read }
    const { state } = await handleCommand(test.context, catalogue, request)
    expect(state.get('1')).toMatchObject({ name })
  }
  expect(reads).toBe(2)
  expect(await test.typesOf(PRODUCT)).toEqual(['ProductCreated', 'ProductChanged', 'ProductChanged'])
})

it('a command that lost ten races asks for a retry', async () => {
  const test = await shopWithProduct()
  for (let race = 0; race < TRIES_MAX; race += 1) test.store.failNext(PRODUCT, beaten)
  await expect(rename(test, 'Other')).rejects.toBeInstanceOf(ShopBusy)
  expect(await test.typesOf(PRODUCT)).toEqual(['ProductCreated'])
})

it.for([0, 2])('a command with a revision is rejected at any other: %i', async (atRevision) => {
  const test = await shopWithProduct()
  await rename(test, 'Second')
  const command = { type: 'ChangeProduct', productId: '1', changes: { name: 'Third' }, adminId: 'owner', at } as const
  const asked = handleCommand(test.context, catalogue, { stream: PRODUCT, command, caller: test.caller(), atRevision })
  await expect(asked).rejects.toBeInstanceOf(AppendConflict)
  expect(await test.typesOf(PRODUCT)).toHaveLength(2)
})

async function changePrice({ context, caller }: TestShop, basePriceCents: number, seenRevision?: number) {
  return changeSettings(context, caller(), { changes: { basePriceCents }, adminId: 'owner', seenRevision })
}

it('a change of settings that another process has changed since is refused, and this process then has them', async () => {
  const test = await testShop()
  const other = await test.anotherProcess()
  await changePrice(test, 7, 0)
  const late = changeSettings(other, test.caller(), {
    changes: { basePriceCents: 9 },
    adminId: 'owner',
    seenRevision: 0,
  })
  await expect(late).rejects.toMatchObject({ code: 'settings/changed' })
  expect(other.hot.currentSettings().basePriceCents).toBe(7)
})

it("a restart keeps the owner's settings", async () => {
  const test = await testShop()
  await changePrice(test, 7)
  const restarted = await test.anotherProcess()
  await initializeShop(restarted, test.caller())
  expect(await test.typesOf(SETTINGS_STREAM)).toEqual(['SettingsChanged', 'SettingsChanged'])
  expect(await test.typesOf(STOCK)).toEqual(['StockSet'])
  expect(restarted.hot.currentSettings().basePriceCents).toBe(7)
})
