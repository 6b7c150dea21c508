import type { ReactNode } from 'react'
import { ButtonLink } from '../../components/ui/button.tsx'
import { Notice } from '../../components/ui/notice.tsx'
import type { Order } from '#contract/order.ts'
import { Failure, isRefused, Unreachable } from '../../api/client.ts'
import type { FailureWords } from '../../method-words.ts'

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

/** The properties of every method's panel. */
export interface PanelProps {
  readonly order: Order
  /** The amount still to pay by this method, as the API sends it. */
  readonly amount: string
  /** The words before the order's deadline. */
  readonly holds: string
  /** Whether to ask for payment: not while money is on its way. */
  readonly isPayable: boolean
  /** The last payment, if it failed. */
  readonly failed: FailureWords | undefined
}

/** Why a payment could not be made: the shop's sentence, else `retry`. */
export function problemOf(error: unknown, title: string, retry: string): FailureWords | undefined {
  if (error === undefined) return undefined
  const isFromShop = error instanceof Failure && !(error instanceof Unreachable)
  return { title: isRefused(error) ? 'This payment was refused' : title, text: isFromShop ? error.say : retry }
}
