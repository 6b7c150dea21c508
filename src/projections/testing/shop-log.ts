import type { Actor } from '../../domain/words.ts'
import type { ShopEvent, ShopEventType } from '../../domain/events.ts'
import { productEvents } from '../../domain/product/events.ts'
import { receiptEvents } from '../../domain/receipt/events.ts'
import { adminEvents } from '../../domain/admin/events.ts'
import { shopEvents } from '../../domain/shop/events.ts'
import { inventoryEvents } from '../../domain/inventory/events.ts'
import {
  ERASED_STREAM,
  SETTINGS_STREAM,
  SHOP_STREAM,
  STOCK_STREAM,
  adminStream,
  orderStream,
  PRODUCTS_STREAM,
  receiptStreamOf,
} from '../../domain/stream-names.ts'
import { type EventLog, eventLog, type Personal } from '../../log/event-log.ts'
import { NO_EVENTS } from '../../engines/event-store/event-store.ts'
import { memoryEventStore } from '../../engines/event-store/testing/memory-event-store.ts'
import { seal } from '../../log/sealing.ts'
import { memoryVault } from '../../engines/vault/testing/memory-vault.ts'
import type { Vault } from '../../engines/vault/vault.ts'
import type { EventStore } from '../../engines/event-store/event-store.ts'

export interface ShopLog {
  readonly log: EventLog
  readonly store: EventStore
  readonly vault: Vault
  /** Adds each event to its stream. */
  record(...events: readonly ShopEvent[]): Promise<void>
  /** Adds a raw event. */
  recordRaw(stream: string, event: { type: string; data: unknown; version?: number }): Promise<void>
}

/** A log in memory, written without commands. */
export function shopLog({ actor = 'buyer', now }: { actor?: Actor; now?: () => number } = {}): ShopLog {
  const store = memoryEventStore(now && { now })
  const vault = memoryVault()
  const log = eventLog({ store, vault, sleep: async () => undefined })
  const revisions = new Map<string, number>()
  let requests = 0

  const caller = () => {
    requests += 1
    return { requestId: `request-${requests}`, correlationId: `request-${requests}`, causationId: null, actor }
  }

  async function append(stream: string, write: (revision: number) => Promise<unknown>): Promise<void> {
    const revision = revisions.get(stream) ?? NO_EVENTS
    await write(revision)
    revisions.set(stream, revision + 1)
  }

  /** Erases a customer who has no key. */
  async function acquaint(personal: string): Promise<void> {
    // Some tests need wrongly sealed or unsealed data.
    const [, customerId] = personal.split('.')
    if (customerId === undefined) return
    const known = await vault.keysOf([customerId])
    if (!known.has(customerId)) await vault.deleteCustomers([customerId])
  }

  return {
    log,
    store,
    vault,
    async record(...events) {
      for (const event of events) {
        if (event.type === 'OrderPlaced') await acquaint(event.data.personal)
        await append(streamOf(event), (revision) =>
          log.append(streamOf(event), revision, [{ event, caller: caller() }]),
        )
      }
    },
    async recordRaw(stream, { type, data, version = 1 }) {
      const { requestId, ...metadata } = caller()
      const id = `00000000-0000-4000-8000-${requestId.replace(/\D/g, '').padStart(12, '0')}`
      const raw = { id, type, version, data: JSON.stringify(data), metadata: JSON.stringify(metadata) }
      await append(stream, (revision) => store.append(stream, revision, [raw]))
    },
  }
}

export function streamOf(event: ShopEvent): string {
  const { data } = event
  if (isOfTypes(receiptEvents, event)) {
    const { provider, receiptId } = data as { provider: string; receiptId: string }
    return receiptStreamOf({ provider, receiptHash: receiptId })
  }
  if (isOfTypes(inventoryEvents, event)) return STOCK_STREAM
  if (event.type === 'SettingsChanged') return SETTINGS_STREAM
  if (isOfTypes(shopEvents, event)) return SHOP_STREAM
  if (event.type === 'CustomerErased') return ERASED_STREAM
  if (isOfTypes(productEvents, event)) return PRODUCTS_STREAM
  if (isOfTypes(adminEvents, event)) return adminStream((data as { adminId: string }).adminId)
  return orderStream((data as { orderId: string }).orderId)
}

function isOfTypes(events: Partial<Record<ShopEventType, unknown>>, { type }: ShopEvent): boolean {
  return Object.hasOwn(events, type)
}

const nonce = new Uint8Array(12)

/** The sealed buyer of an order. Gives the customer a key. */
export async function sealedBuyer(
  vault: Vault,
  buyer: { customerId: string; orderId: string; personal: Personal },
): Promise<string> {
  const { customerId, orderId, personal } = buyer
  const candidate = { customerId, key: new Uint8Array(32).fill(7) }
  const { key } = await vault.customerByEmail(`hmac of ${customerId}`, candidate)
  return seal({ customerId, key }, JSON.stringify(personal), orderStream(orderId), nonce)
}
