import { Page, PageHeading } from '../components/layout/page.tsx'

export function Contact() {
  return (
    <Page>
      <PageHeading>Contact</PageHeading>
    </Page>
  )
}
