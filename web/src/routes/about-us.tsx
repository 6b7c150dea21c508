import { Page, PageHeading } from '../components/layout/page.tsx'

export function AboutUs() {
  return (
    <Page>
      <PageHeading>About us</PageHeading>
    </Page>
  )
}
