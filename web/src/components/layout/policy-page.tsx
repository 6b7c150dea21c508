import type { ReactNode } from 'react'
import { useId } from 'react'
import { ButtonLink } from '../ui/button.tsx'
import { BackLink, Page, PageHeading } from './page.tsx'

export interface PolicySection {
  readonly id: string
  readonly heading: string
  readonly content: ReactNode
  /** Belongs to the page, not to the policy, and stands before or after its sections. */
  readonly isUnnumbered?: true
}

interface PolicyPageProps {
  title: string
  lead?: ReactNode
  sections: readonly PolicySection[]
}

/** A table of contents beside a column of 68 characters, with headings that can be linked to. */
export function PolicyPage({ title, lead, sections }: PolicyPageProps) {
  const contents = useId()
  const numbered = sections.filter(({ isUnnumbered }) => isUnnumbered !== true)
  return (
    <Page>
      <BackLink to="/">Back to Home</BackLink>
      <div className="mt-2 grid gap-4">
        <PageHeading>{title}</PageHeading>
        {lead !== undefined && <div className="max-w-reading text-lg text-muted">{lead}</div>}
      </div>
      <div className="mt-10 grid gap-10 lg:grid-cols-[16rem_minmax(0,1fr)]">
        <nav aria-labelledby={contents}>
          <div className="lg:sticky lg:top-28">
            <h2 id={contents} className="mb-2 text-lg">
              Contents
            </h2>
            <ol className="grid">
              {sections.map((section) => (
                <li key={section.id}>
                  <a
                    href={`#${section.id}`}
                    className="flex min-h-9 items-center py-1 text-muted hover:text-ink hover:underline"
                  >
                    {section.heading}
                  </a>
                </li>
              ))}
            </ol>
          </div>
        </nav>
        <div className="grid max-w-reading gap-8">
          {sections.map((section) => (
            <section key={section.id} id={section.id} className="grid scroll-mt-24 gap-2">
              <h2 className="text-xl">
                {section.isUnnumbered === true ? '' : `${numbered.indexOf(section) + 1}. `}
                {section.heading}
              </h2>
              <div className="grid gap-3 leading-[1.75]">{section.content}</div>
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
