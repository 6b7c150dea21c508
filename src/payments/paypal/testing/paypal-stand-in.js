// @ts-nocheck -- runs in the browser
/* Stands in for PayPal's script at `/web-sdk/v6/core`. */
const { origin } = new URL(document.currentScript.src)

class PaypalButton extends HTMLElement {
  connectedCallback() {
    if (this.shadowRoot) return
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Pay with PayPal'
    const sheet = document.createElement('style')
    sheet.textContent =
      ':host([hidden]){display:none}:host{display:block}button{width:100%;min-height:48px;border:0;border-radius:8px;background:#ffc439;color:#111;font:600 18px sans-serif;cursor:pointer}button:focus-visible{outline:3px solid #0070ba;outline-offset:2px}'
    const root = this.attachShadow({ mode: 'open', delegatesFocus: true })
    root.append(sheet, button)
  }
}
if (!customElements.get('paypal-button')) customElements.define('paypal-button', PaypalButton)

/** The real script, too, fails when its frame cannot be loaded. */
async function frame() {
  const element = document.createElement('iframe')
  Object.assign(element, { src: `${origin}/web-sdk/v6/frame`, hidden: true, title: 'PayPal' })
  await new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('The frame was not loaded.')), 5_000)
    window.addEventListener('message', ({ origin: from, data }) => {
      if (from === origin && data.frame === 'loaded') resolve()
    })
    document.body.append(element)
  })
}

function session({ onApprove, onCancel, onComplete, onError }) {
  return {
    async start(_options, order) {
      // After an await some browsers no longer count it as a click and block the pop-up.
      const isInClick = window.event?.type === 'click'
      const popup = isInClick ? window.open('', 'paypal-double', 'popup,width=480,height=640') : null
      if (!popup) throw Object.assign(new Error('The pop-up was blocked.'), { code: 'ERR_DEV_UNABLE_TO_OPEN_POPUP' })
      let orderId = ''
      try {
        ;({ orderId } = await order)
      } catch (error) {
        popup.close()
        onError?.(error)
        throw error
      }
      const choice = new Promise((resolve) => {
        window.addEventListener('message', ({ origin: from, data }) => {
          if (from === origin && data.source === 'paypal-double' && data.orderId === orderId) resolve(data.choice)
        })
        const timer = setInterval(() => {
          if (!popup.closed) return
          clearInterval(timer)
          setTimeout(() => resolve('cancel'), 500)
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

window.paypal = {
  version: '6.0.0-double',
  async createInstance({ clientToken, components }) {
    if (!components.includes('paypal-payments')) throw new Error('no such component')
    const { ok } = await fetch(`${origin}/web-sdk/v6/instance?token=${encodeURIComponent(clientToken)}`)
    if (!ok) throw Object.assign(new Error('The client token is not valid.'), { code: 'ERR_INVALID_CLIENT_TOKEN' })
    await frame()
    return {
      async findEligibleMethods({ currencyCode }) {
        const reply = await fetch(`${origin}/v2/payments/find-eligible-methods`, { method: 'POST' })
        if (!reply.ok) throw new Error('Eligibility is not known.')
        const { paypal: isEligible } = await reply.json()
        return { isEligible: (method) => method === 'paypal' && currencyCode === 'USD' && isEligible }
      },
      createPayPalOneTimePaymentSession: session,
    }
  },
}
