/** Texts for the status of a crypto payment. `init` means that the shop has not responded yet. */
export const cryptoMessages: Record<string, string> = {
  init: 'Preparing your payment…',
  waiting: 'Waiting for payment...',
  confirming: 'Payment received, confirming on blockchain...',
  sending: 'Payment confirmed, processing order...',
  finished: 'Payment received! Processing your order...',
  confirmed: 'Payment received! Processing your order...',
  completed: 'Payment completed successfully!',
  partially_paid: 'Partial payment received - please complete the full amount',
}

export const isCryptoPaid = (status: string) => ['finished', 'sending', 'confirmed', 'completed'].includes(status)
export const isCryptoFailed = (status: string) => ['failed', 'expired', 'refunded'].includes(status)
/** The whole amount was seen or has arrived: the buyer must send nothing more. */
export const isCryptoSeen = (status: string) => status === 'confirming' || isCryptoPaid(status)
/** Whether "check now" opens the confirmation. */
export const opensConfirm = (status: string) => ['finished', 'confirmed', 'completed'].includes(status)
