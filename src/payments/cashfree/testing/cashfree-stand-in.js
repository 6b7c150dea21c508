// @ts-nocheck -- runs in the browser
/* Stands in for Cashfree's script of the hosted checkout. */
const action = new URL('/pg/view/sessions/checkout', document.currentScript.src).href

window.Cashfree = ({ mode }) => {
  if (mode !== 'sandbox' && mode !== 'production') throw new Error('mode is not valid')
  return {
    async checkout({ paymentSessionId, redirectTarget }) {
      if (redirectTarget !== undefined && redirectTarget !== '_self') throw new Error('no such target')
      if (!/^session_\w+$/.test(paymentSessionId)) return { error: { message: 'payment_session_id is not valid' } }
      const form = Object.assign(document.createElement('form'), { method: 'post', action })
      const field = { type: 'hidden', name: 'payment_session_id', value: paymentSessionId }
      form.append(Object.assign(document.createElement('input'), field))
      document.body.append(form)
      form.submit()
      return { redirect: true }
    },
  }
}
