import type { ReactNode } from 'react'
import { useId } from 'react'
import { Link } from 'react-router-dom'
import { ButtonLink } from '../ui/button.tsx'
import { BackLink, Page, PageHeading } from './page.tsx'

/** The content of each section by heading. Plain text becomes a paragraph. */
export type PolicySections = Readonly<Record<string, ReactNode>>

interface PolicyPageProps {
  title: string
  updated: string
  sections: PolicySections
}

/** A table of contents beside a column of 68 characters. Each section has an id to link to. */
export function PolicyPage({ title, updated, sections }: PolicyPageProps) {
  const contents = useId()
  const parts = Object.entries(sections).map(([heading, content]) => ({ id: idOf(heading), heading, content }))
  return (
    <Page>
      <BackLink to="/">Back to Home</BackLink>
      <div className="mt-2 grid gap-4">
        <PageHeading>{title}</PageHeading>
        <p className="max-w-reading text-lg text-muted">Last updated: {updated}</p>
      </div>
      <div className="mt-10 grid gap-10 lg:grid-cols-[16rem_minmax(0,1fr)]">
        <nav aria-labelledby={contents}>
          <div className="lg:sticky lg:top-28">
            <h2 id={contents} className="mb-2 text-lg">
              Contents
            </h2>
            <ol className="grid">
              {parts.map(({ id, heading }) => (
                <li key={id}>
                  <a
                    href={`#${id}`}
                    className="flex min-h-9 items-center py-1 text-muted hover:text-ink hover:underline"
                  >
                    {heading}
                  </a>
                </li>
              ))}
            </ol>
          </div>
        </nav>
        <div className="grid max-w-reading gap-8">
          {parts.map(({ id, heading, content }) => (
            <section key={id} id={id} className="grid scroll-mt-24 gap-2">
              <h2 className="text-xl">{heading}</h2>
              <div className="grid gap-3 leading-[1.75]">
                {typeof content === 'string' ? <p>{content}</p> : content}
              </div>
            </section>
          ))}
          <p>
            <ButtonLink to="/">Back to Home</ButtonLink>
          </p>
        </div>
      </div>
    </Page>
  )
}

function idOf(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^a-z]+/g, '-')
}

/** A link inside a sentence. */
export function TextLink({ to, children }: { to: string; children: string }) {
  return (
    <Link className="link" to={to}>
      {children}
    </Link>
  )
}
