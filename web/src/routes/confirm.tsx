import { Page, PageHeading } from '../components/layout/page.tsx'

export function Confirm() {
  return (
    <Page>
      <PageHeading>Confirm</PageHeading>
    </Page>
  )
}
