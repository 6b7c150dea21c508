import type { ReactNode } from 'react'
import { ButtonLink } from '../../components/ui/button.tsx'
import { Notice } from '../../components/ui/notice.tsx'

interface PaymentProblemProps {
  orderId: string
  title: string
  text: string
  /** Actions before the choice of another method. */
  children?: ReactNode
}

/** Why a payment failed: the only place that says it. */
export function PaymentProblem({ orderId, title, text, children }: PaymentProblemProps) {
  return (
    <Notice tone="bad" title={title} role="alert">
      <p>{text}</p>
      <p className="flex flex-wrap gap-2">
        {children}
        <OtherMethod orderId={orderId} />
      </p>
    </Notice>
  )
}

export function OtherMethod({ orderId }: { orderId: string }) {
  return <ButtonLink to={`/order/${orderId}/payment-method`}>Choose another method</ButtonLink>
}
