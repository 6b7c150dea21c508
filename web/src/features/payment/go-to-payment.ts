/** Loads the payment page, whose own security policy allows the provider's scripts. Resolves when the browser leaves. */
export async function goToPayment(orderId: string): Promise<void> {
  const left = new Promise((resolve) => window.addEventListener('pagehide', resolve, { once: true }))
  window.location.assign(`/order/${orderId}/payment`)
  await left
}
