import type { ReactNode } from 'react'
import { Page, PageHeading } from '../components/layout/page.tsx'
import { ButtonLink } from '../components/ui/button.tsx'

/** For addresses such as `/order/` that lack the order's id. */
export function MissingId({ heading }: { heading: string }) {
  return (
    <NoOrder
      heading={heading}
      problem="Order ID is required"
      advice="The link to an order ends in its id. Open it from the page where you copied it, or place a new order."
      link={<ButtonLink to="/">Back to Home</ButtonLink>}
    />
  )
}

interface NoOrderProps {
  heading: string
  problem: string
  advice: string
  link: ReactNode
}

/** The address names no order that can be shown. */
export function NoOrder({ heading, problem, advice, link }: NoOrderProps) {
  return (
    <Page width="narrow">
      <div className="grid justify-items-start gap-4">
        <PageHeading>{heading}</PageHeading>
        <p className="text-lg wrap-anywhere">{problem}</p>
        <p className="text-muted">{advice}</p>
        <div className="flex flex-wrap gap-3">
          <ButtonLink to="/purchase" kind="primary">
            Place New Order
          </ButtonLink>
          <ButtonLink to="/find-order">Find Your Order</ButtonLink>
          {link}
        </div>
      </div>
    </Page>
  )
}
