import { Page, PageHeading } from '../components/layout/page.tsx'

export function Purchase() {
  return (
    <Page>
      <PageHeading>Purchase</PageHeading>
    </Page>
  )
}
