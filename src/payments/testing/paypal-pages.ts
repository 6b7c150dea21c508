import { page, payerPage, type Reply } from './double.ts'

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

/** What the payer sees in PayPal's window. After the choice it tells the shop's page and closes; without one it goes back to the shop. */
export function approvalPage({ id, value, returnUrl }: Opened, choice?: string): Reply {
  if (choice === undefined) return payerPage(TITLE, `Pay $${value}?`, choices)
  const told = { source: 'paypal-double', choice: choice === 'cancel' ? 'cancel' : 'approve', orderId: id }
  const back = new URL(returnUrl ?? 'about:blank')
  if (returnUrl !== undefined) back.search = new URLSearchParams({ token: id, PayerID: 'PAYER0000001' }).toString()
  const run = `const told = ${inScript(told)}
if (window.opener) { window.opener.postMessage(told, '*'); window.close() } else location.assign(${inScript(back.href)})`
  return page(TITLE, `<p>You may close this window.</p><script>${run}</script>`)
}

/** As in PayPal's own frame beside the button: it tells the page that it was loaded. */
export function framePage(): Reply {
  return page(TITLE, `<script>parent.postMessage({ source: 'paypal-double', frame: 'loaded' }, '*')</script>`)
}

function inScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

/** Of the script at `/web-sdk/v6/core`; runs in the browser. */
// oxlint-disable-next-line max-lines-per-function -- is sent as one text
export function standIn(origin: string): void {
  const browser = globalThis as unknown as StandInWindow

  class PaypalButton extends browser.HTMLElement {
    connectedCallback(): void {
      if (this.shadowRoot) return
      const button = browser.document.createElement('button')
      button.type = 'button'
      button.textContent = 'Pay with PayPal'
      const sheet = browser.document.createElement('style')
      sheet.textContent =
        ':host([hidden]){display:none}:host{display:block}button{width:100%;min-height:48px;border:0;border-radius:8px;background:#ffc439;color:#111;font:600 18px sans-serif;cursor:pointer}button:focus-visible{outline:3px solid #0070ba;outline-offset:2px}'
      const root = this.attachShadow({ mode: 'open', delegatesFocus: true })
      root.append(sheet, button)
    }
  }
  if (!browser.customElements.get('paypal-button')) browser.customElements.define('paypal-button', PaypalButton)

  /** As the real script does, which shows nothing without its frame. */
  async function frame(): Promise<void> {
    const element = browser.document.createElement('iframe')
    Object.assign(element, { src: `${origin}/web-sdk/v6/frame`, hidden: true, title: 'PayPal' })
    await new Promise<void>((resolve, reject) => {
      browser.setTimeout(() => reject(new Error('The frame was not loaded.')), 5_000)
      browser.addEventListener('message', ({ origin: from, data }) => {
        if (from === origin && data.frame === 'loaded') resolve()
      })
      browser.document.body.append(element)
    })
  }

  function session({ onApprove, onCancel, onComplete, onError }: SessionCallbacks) {
    return {
      async start(_options: object, order: Promise<{ orderId: string }>): Promise<void> {
        // As in browsers that lose the click behind an await: their pop-up is blocked.
        const isInClick = browser.event?.type === 'click'
        const popup = isInClick ? browser.open('', 'paypal-double', 'popup,width=480,height=640') : null
        if (!popup) throw Object.assign(new Error('The pop-up was blocked.'), { code: 'ERR_DEV_UNABLE_TO_OPEN_POPUP' })
        let orderId = ''
        try {
          ;({ orderId } = await order)
        } catch (error) {
          popup.close()
          onError?.(error)
          throw error
        }
        const choice = new Promise<string>((resolve) => {
          browser.addEventListener('message', ({ origin: from, data }) => {
            if (from === origin && data.source === 'paypal-double' && data.orderId === orderId) resolve(data.choice)
          })
          const timer = browser.setInterval(() => {
            if (!popup.closed) return
            browser.clearInterval(timer)
            browser.setTimeout(() => resolve('cancel'), 500)
          }, 200)
        })
        popup.location.href = `${origin}/checkoutnow?token=${orderId}`
        if ((await choice) === 'approve') {
          onComplete?.({ paymentSessionState: 'approved' })
          await onApprove({ orderId, payerId: 'PAYER0000001' })
        } else {
          onComplete?.({ paymentSessionState: 'canceled' })
          onCancel?.({ orderId })
        }
      },
      hasReturned: () => false,
    }
  }

  browser.paypal = {
    version: '6.0.0-double',
    async createInstance({ clientToken, components }) {
      if (!components.includes('paypal-payments')) throw new Error('no such component')
      const { ok } = await browser.fetch(`${origin}/web-sdk/v6/instance?token=${encodeURIComponent(clientToken)}`)
      if (!ok) throw Object.assign(new Error('The client token is not valid.'), { code: 'ERR_INVALID_CLIENT_TOKEN' })
      await frame()
      return {
        async findEligibleMethods({ currencyCode }: { currencyCode: string }) {
          const reply = await browser.fetch(`${origin}/v2/payments/find-eligible-methods`, { method: 'POST' })
          if (!reply.ok) throw new Error('Eligibility is not known.')
          const { paypal: isEligible } = await reply.json()
          return { isEligible: (method: string) => method === 'paypal' && currencyCode === 'USD' && isEligible }
        },
        createPayPalOneTimePaymentSession: session,
      }
    },
  }
}

interface SessionCallbacks {
  onApprove: (data: { orderId: string; payerId: string }) => unknown
  onCancel?: (data: { orderId: string }) => void
  onComplete?: (data: { paymentSessionState: string }) => void
  onError?: (error: unknown) => void
}

/** Of a browser, only what the stand-in uses: the server's types know none. */
interface StandInWindow {
  HTMLElement: new () => {
    shadowRoot: object | null
    attachShadow: (options: object) => { append: (...nodes: object[]) => void }
  }
  customElements: { get: (name: string) => unknown; define: (name: string, element: unknown) => void }
  document: {
    createElement: (name: string) => { type: string; textContent: string }
    body: { append: (node: object) => void }
  }
  event: { type: string } | undefined
  open: (
    url: string,
    name: string,
    features: string,
  ) => { closed: boolean; close: () => void; location: { href: string } } | null
  fetch: (url: string, init?: object) => Promise<{ ok: boolean; json: () => Promise<{ paypal: boolean }> }>
  setTimeout: (run: () => void, ms: number) => number
  setInterval: (run: () => void, ms: number) => number
  clearInterval: (timer: number) => void
  addEventListener: (
    name: 'message',
    take: (event: {
      origin: string
      data: { source: string; choice: string; orderId: string; frame?: string }
    }) => void,
  ) => void
  paypal: {
    version: string
    createInstance: (options: { clientToken: string; components: string[] }) => Promise<object>
  }
}
