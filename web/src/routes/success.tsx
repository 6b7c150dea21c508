import { CoinStack } from '../components/coins/coin-stack.tsx'
import { Page, PageHeading } from '../components/layout/page.tsx'
import { ButtonLink } from '../components/ui/button.tsx'

export function Success() {
  return (
    <Page width="narrow">
      <div className="grid justify-items-center gap-5 text-center">
        <CoinStack quantityM={10} className="h-56" />
        <PageHeading>Payment Successful!</PageHeading>
        <p className="text-lg">Your coins were delivered.</p>
        <ButtonLink to="/" kind="primary" size="large">
          Place New Order
        </ButtonLink>
      </div>
    </Page>
  )
}
