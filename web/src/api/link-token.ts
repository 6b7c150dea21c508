/** The token of a mailed link to an order. This module is loaded first and takes it out of the address, before anything else can read it there. */
interface LinkToken {
  readonly path: string
  readonly token: string
}

const OPEN = /^#open=([\w.-]{1,100})$/

function taken(): LinkToken | undefined {
  if (import.meta.env.SSR) return undefined
  const { pathname, search, hash } = window.location
  const [, token] = OPEN.exec(hash) ?? []
  if (token === undefined) return undefined
  window.history.replaceState(window.history.state, '', pathname + search)
  return { path: pathname, token }
}

const link = taken()

/** The token that opens this order; undefined if no link to it was followed. */
export function linkTokenOf(orderId: string): string | undefined {
  return link?.path === `/order/${orderId}` ? link.token : undefined
}
