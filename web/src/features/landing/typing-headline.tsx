import { PageHeading } from '../../components/layout/page.tsx'

/** Typed by the style sheet, so that it starts with the first paint and is one text all the while. */
export function TypingHeadline({ text }: { text: string }) {
  return (
    <PageHeading title="In-game coins" className="text-3xl tracking-tight sm:text-4xl">
      <span className="typed">{text}</span>
    </PageHeading>
  )
}
