import { Page, PageHeading } from '../components/layout/page.tsx'

export function PaymentMethod() {
  return (
    <Page>
      <PageHeading>Payment method</PageHeading>
    </Page>
  )
}
