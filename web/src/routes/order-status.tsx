import { Page, PageHeading } from '../components/layout/page.tsx'

export function OrderStatus() {
  return (
    <Page>
      <PageHeading>Order status</PageHeading>
    </Page>
  )
}
