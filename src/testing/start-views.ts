import type { ShopViews } from '../api/views.ts'
import type { EventLog } from '../event-store/event-log.ts'
import { START } from '../event-store/event-store.ts'

export async function startViews({
  log,
}: {
  log: EventLog
  clock: unknown
}): Promise<{ views: ShopViews; stop(): Promise<void> }> {
  const views: ShopViews = {
    areLocal: true,
    waitFor: async () => true,
    listOrders: async () => ({ orders: [], total: 0, filtered: 0, filteredIsExact: true, next: null }),
    analytics: async () => ({ revenueCents: 0, orders: 0, quantityM: 0, customers: 0, months: [] }),
    products: async () => [],
    async orderOfPayment(id) {
      for (const event of await log.readAll({ after: START, limit: 10_000 }))
        if (event.type === 'PaymentStarted' && event.data.paymentId === id) return event.data.orderId
      return undefined
    },
  }
  return { views, stop: async () => undefined }
}
