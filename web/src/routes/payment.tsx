import { Page, PageHeading } from '../components/layout/page.tsx'

export function Payment() {
  return (
    <Page>
      <PageHeading>Payment</PageHeading>
    </Page>
  )
}
