/* The names of the log's streams. They are stored in every shop's files and never change. */

export const STOCK_STREAM = 'stock-main'
export const SETTINGS_STREAM = 'settings-shop'
/** The packs that the owner lists. */
export const PRODUCTS_STREAM = 'products-shop'
export const SHOP_STREAM = 'shop-main'
/** The register of erased customers. */
export const ERASED_STREAM = 'customers-erased'

export function orderStream(orderId: string): string {
  return `order-${orderId}`
}

/** The order id of this stream; undefined for others. */
export function orderIdOf(stream: string): string | undefined {
  return stream.startsWith('order-') ? stream.slice('order-'.length) : undefined
}

export function adminStream(adminId: string): string {
  return `admin-${adminId}`
}

/** A hash, since the log does not hold the provider's own receipt id. */
export function receiptStreamOf({ provider, receiptHash }: { provider: string; receiptHash: string }): string {
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
