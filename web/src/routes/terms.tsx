import { Page, PageHeading } from '../components/layout/page.tsx'

export function Terms() {
  return (
    <Page>
      <PageHeading>Terms and conditions</PageHeading>
    </Page>
  )
}
