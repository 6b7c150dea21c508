import { Page, PageHeading } from '../components/layout/page.tsx'
import { ButtonLink } from '../components/ui/button.tsx'

export function NotFound() {
  return (
    <Page width="narrow">
      <div className="grid justify-items-start gap-4">
        <PageHeading>404 Page Not Found</PageHeading>
        <p className="text-lg">There is no page at this address.</p>
        <p className="font-mono text-sm text-muted">Did you forget to add the page to the router?</p>
        <ButtonLink to="/" kind="primary">
          Back to Home
        </ButtonLink>
      </div>
    </Page>
  )
}
