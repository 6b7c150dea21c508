import { Page, PageHeading } from '../components/layout/page.tsx'

export function Checkout() {
  return (
    <Page>
      <PageHeading>Checkout</PageHeading>
    </Page>
  )
}
