/* What the streams of the log are called. These names stand in the files of every shop and never change. */

export const STOCK_STREAM = 'stock-main'
export const SETTINGS_STREAM = 'settings-shop'
export const SHOP_STREAM = 'shop-main'
/** The register of erased customers. */
export const ERASED_STREAM = 'customers-erased'

export function orderStream(orderId: string): string {
  return `order-${orderId}`
}

/** The order that this stream is of; undefined for any other stream. */
export function orderIdOf(stream: string): string | undefined {
  return stream.startsWith('order-') ? stream.slice('order-'.length) : undefined
}

export function productStream(productId: string): string {
  return `product-${productId}`
}

export function adminStream(adminId: string): string {
  return `admin-${adminId}`
}

/** A provider's own id of a receipt is not told to the log: the name has a hash of it. */
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
