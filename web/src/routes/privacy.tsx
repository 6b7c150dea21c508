import { Page, PageHeading } from '../components/layout/page.tsx'

export function Privacy() {
  return (
    <Page>
      <PageHeading>Privacy policy</PageHeading>
    </Page>
  )
}
