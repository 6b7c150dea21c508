import { Link } from 'react-router-dom'
import { Page, PageHeading } from '../components/layout/page.tsx'

export function Admin() {
  return (
    <Page width="narrow">
      <PageHeading>Admin Dashboard</PageHeading>
      <p className="py-4">
        <Link className="link" to="/">
          Back to Home
        </Link>
      </p>
    </Page>
  )
}
