import { describe, expect, it } from 'vitest'
import { deleteErased } from '../commands/erase-customer.ts'
import type { Shop } from '../shop/shop.ts'
import { memoryVault } from '../vault/testing/memory-vault.ts'
import { type Vault, VaultAway } from '../vault/vault.ts'
import { EMAIL, erasingScene, MINUTE_MS } from './erasing-scene.ts'

function withVault(shop: Shop, changes: Partial<Vault>): Shop {
  return { ...shop, vault: { ...shop.vault, ...changes } }
}

const died = async () => Promise.reject(new VaultAway('died'))

describe('erasing a person', () => {
  it('leaves the order and its money as they were, and no key', async () => {
    const shop = await erasingScene(1)
    const orderId = await shop.place(shop.main)
    await shop.complete(orderId)
    const before = await shop.books()
    expect(await shop.erase(shop.main)).toMatchObject({ isErased: true })
    const after = await shop.books()
    expect(after).toEqual(before)
    const [placed] = await shop.log.readStream(`order-${orderId}`)
    expect([...(await shop.log.openPersonal(placed ? [placed] : [])).values()]).toEqual(['erased'])
  })

  it('is refused while an order is open, and everything is as before', async () => {
    const shop = await erasingScene(1)
    await shop.place(shop.main)
    const before = await shop.buyers()
    const [open] = (await shop.books()).orders.values()
    await expect(shop.erase(shop.main)).rejects.toMatchObject({
      code: 'customer/has-open-orders',
      message: expect.stringContaining(String(open?.placed.orderNumber)),
    })
    await shop.place(shop.main)
    expect(new Set(await shop.buyers())).toEqual(new Set(before))
    expect((await shop.register()).ids).toEqual([])
  })

  it('finds no customer who never ordered, or was erased already', async () => {
    const shop = await erasingScene(1)
    await expect(shop.erase(shop.main)).rejects.toMatchObject({ code: 'customer/not-found' })
    await shop.complete(await shop.place(shop.main))
    await shop.erase(shop.main)
    await expect(shop.erase(shop.main)).rejects.toMatchObject({ code: 'customer/not-found' })
  })

  it('gives who orders again a new name in the log', async () => {
    const shop = await erasingScene(1)
    await shop.complete(await shop.place(shop.main))
    await shop.erase(shop.main)
    await shop.place(shop.main)
    expect(new Set(await shop.buyers()).size).toBe(2)
    expect(await shop.unreadable()).toEqual([])
  })

  it('waits for an order that is just being placed, and goes on by itself when that has died', async () => {
    const shop = await erasingScene(1)
    let calls = 0
    const dying = withVault(shop.main, {
      customerByEmail: async (...asked) => {
        calls += 1
        if (calls === 2) throw new VaultAway('died behind the reservation')
        return shop.vault.customerByEmail(...asked)
      },
    })
    await expect(shop.place(dying)).rejects.toThrow(VaultAway)
    expect(await shop.erase(shop.main)).toMatchObject({ isErased: false })
    await shop.finishAll()
    expect((await shop.register()).ids).toEqual([])
    await shop.endOpenReservations(shop.main)
    await shop.finishAll()
    expect((await shop.register()).ids).toHaveLength(1)
    expect(await shop.vault.customersByEmail(shop.keys.emailHmac(EMAIL))).toEqual([])
  })

  it.for<[when: string, dying: (vault: Vault) => Partial<Vault>, left: number, needsBuyerSince: boolean]>([
    ['before the key was deleted', () => ({ deleteCustomers: died }), 1, false],
    ['before the key was deleted, whatever its orders need since', () => ({ deleteCustomers: died }), 1, true],
    [
      'right after the decision',
      (vault) => ({ decideErasure: async (...decided) => vault.decideErasure(...decided).then(died) }),
      0,
      false,
    ],
  ])('is finished where a process died %s', async ([, dying, left, needsBuyerSince]) => {
    const shop = await erasingScene(1)
    const orderId = await shop.place(shop.main)
    await shop.complete(orderId)
    await expect(shop.erase(withVault(shop.main, dying(shop.vault)))).rejects.toThrow(VaultAway)
    expect((await shop.register()).left).toHaveLength(left)
    if (needsBuyerSince) await shop.raiseAttention(orderId)
    await shop.finishAll()
    expect(await shop.register()).toMatchObject({ ids: [expect.any(String)], left: [] })
  })

  it('is not decided by who was overtaken', async () => {
    const shop = await erasingScene(1)
    await shop.complete(await shop.place(shop.main))
    const overtaken = withVault(shop.main, {
      decideErasure: async (customerId, erasureId) => {
        await shop.vault.detachEmail(customerId, { erasureId: 'another', at: shop.main.clock.now() })
        return shop.vault.decideErasure(customerId, erasureId)
      },
    })
    await expect(shop.erase(overtaken)).rejects.toMatchObject({ name: 'ShopBusy' })
    expect((await shop.register()).ids).toEqual([])
    await shop.finishAll()
    expect((await shop.register()).ids).toHaveLength(1)
  })

  it('goes on later for who ordered again while it was given up', async () => {
    const shop = await erasingScene(1)
    await shop.place(shop.main)
    const reordering = withVault(shop.main, {
      attachEmail: async (...given) => {
        await shop.place(shop.main)
        return shop.vault.attachEmail(...given)
      },
    })
    await expect(shop.erase(reordering)).rejects.toMatchObject({ code: 'customer/has-open-orders' })
    expect(await shop.vault.customersByEmail(shop.keys.emailHmac(EMAIL))).toHaveLength(2)
    await shop.finishAll()
    expect(await shop.unreadable()).toEqual([])
    await shop.cancelAll(shop.main)
    await shop.finishAll()
    expect((await shop.register()).ids).toHaveLength(1)
    await shop.erase(shop.main)
    expect((await shop.register()).ids).toHaveLength(2)
  })

  it('does not go on from a view that could not read everything', async () => {
    const shop = await erasingScene(1)
    await shop.complete(await shop.place(shop.main))
    await shop.breakAnOrder()
    await expect(shop.erase(shop.main)).rejects.toThrow(/could not read everything/)
    expect((await shop.register()).ids).toEqual([])
  })

  it('is repeated on an older copy of the vault', async () => {
    const shop = await erasingScene(2)
    await shop.complete(await shop.place(shop.main))
    await shop.erase(shop.main)
    const [customerId = ''] = (await shop.register()).ids
    const older = memoryVault()
    await older.customerByEmail('hmac', { customerId, key: new Uint8Array(32) })
    expect(await deleteErased({ log: shop.log, vault: older })).toBe(1)
    expect(await older.keysOf([customerId])).toEqual(new Map([[customerId, 'erased']]))
    expect(await deleteErased({ log: shop.log, vault: older })).toBe(0)
  })

  it('is not finished for a customer whose erasure is under way', async () => {
    const shop = await erasingScene(1)
    await shop.place(shop.main)
    const [customerId = ''] = await shop.buyers()
    await shop.vault.detachEmail(customerId, { erasureId: 'now', at: shop.main.clock.now() })
    expect(await shop.due()).toEqual([])
    shop.pass(3 * MINUTE_MS)
    expect(await shop.due()).toMatchObject([{ data: { customerId } }])
  })
})
