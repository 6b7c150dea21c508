import { Page, PageHeading } from '../components/layout/page.tsx'
import { ButtonLink } from '../components/ui/button.tsx'

/** For addresses such as `/order/` that lack the order's id. */
export function MissingId({ heading }: { heading: string }) {
  return (
    <Page width="narrow">
      <div className="grid justify-items-start gap-4">
        <PageHeading>{heading}</PageHeading>
        <p className="text-lg">Order ID is required</p>
        <p className="text-muted">
          The link to an order ends in its id. Open it from the page where you copied it, or place a new order.
        </p>
        <div className="flex flex-wrap gap-3">
          <ButtonLink to="/purchase" kind="primary">
            Place New Order
          </ButtonLink>
          <ButtonLink to="/find-order">Find Your Order</ButtonLink>
          <ButtonLink to="/">Back to Home</ButtonLink>
        </div>
      </div>
    </Page>
  )
}
