/** By a full page load: only that page's own document may load what a provider's window needs. Resolves when the browser leaves. */
export async function openPayment(orderId: string): Promise<void> {
  const left = new Promise((resolve) => window.addEventListener('pagehide', resolve, { once: true }))
  window.location.assign(`/order/${orderId}/payment`)
  await left
}
