import { page, payerPage, type Reply } from '../../testing/double.ts'

interface Opened {
  readonly id: string
  readonly value: string
  readonly returnUrl: string | undefined
}

const choices = {
  approve: 'Approve',
  decline: 'Approve, but have no money',
  pend: 'Approve, with a review',
  cancel: 'Cancel',
}
const TITLE = "PayPal's double"

/** The payer's page. After the choice it reports to the page that opened it and closes, or returns to the shop. */
export function approvalPage({ id, value, returnUrl }: Opened, choice?: string): Reply {
  if (choice === undefined) return payerPage(TITLE, `Pay $${value}?`, choices)
  const told = { source: 'paypal-double', choice: choice === 'cancel' ? 'cancel' : 'approve', orderId: id }
  const back = new URL(returnUrl ?? 'about:blank')
  if (returnUrl !== undefined) back.search = new URLSearchParams({ token: id, PayerID: 'PAYER0000001' }).toString()
  const run = `const told = ${inScript(told)}
if (window.opener) { window.opener.postMessage(told, '*'); window.close() } else location.assign(${inScript(back.href)})`
  return page(TITLE, `<p>You may close this window.</p><script>${run}</script>`)
}

/** The frame of the button, which reports that it was loaded. */
export function framePage(): Reply {
  return page(TITLE, `<script>parent.postMessage({ source: 'paypal-double', frame: 'loaded' }, '*')</script>`)
}

function inScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
