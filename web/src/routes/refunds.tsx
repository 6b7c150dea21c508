import { Page, PageHeading } from '../components/layout/page.tsx'

export function Refunds() {
  return (
    <Page>
      <PageHeading>Refund policy</PageHeading>
    </Page>
  )
}
