import { Page, PageHeading } from '../components/layout/page.tsx'

export function Landing() {
  return (
    <Page>
      <PageHeading>Landing</PageHeading>
    </Page>
  )
}
