/** The addresses of the screens that the build renders before any data is loaded, by the name of the page's file. */
export const frames: Readonly<Record<string, string>> = {
  landing: '/',
  purchase: '/purchase',
  checkout: '/checkout/:orderId',
  order: '/order/:orderId',
  'payment-method': '/order/:orderId/payment-method',
  payment: '/order/:orderId/payment',
  confirm: '/order/:orderId/confirm',
  admin: '/admin',
}

const names = new Map(Object.entries(frames).map(([name, address]) => [address, name]))
const ORDER_ID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/

/** The order of a screen, by its address. */
export function orderAt(path: string): string | undefined {
  return ORDER_ID.exec(path)?.[0]
}

/** The name of this address's frame. A query may change what a screen shows first, except on the landing page. */
export function frameAt(path: string, hasQuery: boolean): string | undefined {
  return hasQuery && path !== '/' ? undefined : names.get(path.replace(ORDER_ID, ':orderId'))
}
