/* The names of the log's streams. They are stored in every shop's files and never change. */

/** Every stream's name begins with one of these and a dash. */
export const categories = ['admin', 'customers', 'order', 'products', 'receipt', 'settings', 'shop', 'stock'] as const
export type Category = (typeof categories)[number]
type StreamName = `${Category}-${string}`

export const STOCK_STREAM = 'stock-main' satisfies StreamName
export const SETTINGS_STREAM = 'settings-shop' satisfies StreamName
/** The packs that the owner lists. */
export const PRODUCTS_STREAM = 'products-shop' satisfies StreamName
export const SHOP_STREAM = 'shop-main' satisfies StreamName
/** The register of erased customers. */
export const ERASED_STREAM = 'customers-erased' satisfies StreamName

/** The blocks of buyers, without who is blocked. */
export const BLOCKED_STREAM = 'customers-blocked' satisfies StreamName

export function orderStream(orderId: string): StreamName {
  return `order-${orderId}`
}

/** The order id of this stream; undefined for others. */
export function orderIdOf(stream: string): string | undefined {
  return stream.startsWith('order-') ? stream.slice('order-'.length) : undefined
}

export function adminStream(adminId: string): StreamName {
  return `admin-${adminId}`
}

/** Takes a hash, since a provider's receipt id may not fit into a stream name. */
export function receiptStreamOf({ provider, receiptHash }: { provider: string; receiptHash: string }): StreamName {
  return `receipt-${provider}-${receiptHash}`
}

export function isStockStream(stream: string): boolean {
  return stream.startsWith('stock-')
}

export function isAdminStream(stream: string): boolean {
  return stream.startsWith('admin-')
}

export function isReceiptStream(stream: string): boolean {
  return stream.startsWith('receipt-')
}
