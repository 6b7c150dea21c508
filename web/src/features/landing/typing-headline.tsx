import { PageHeading } from '../../components/layout/page.tsx'

/** Animated by CSS alone, so that it starts with the first paint. */
export function TypingHeadline({ text }: { text: string }) {
  return (
    <PageHeading title="In-game coins" className="text-3xl tracking-tight sm:text-4xl">
      <span className="typed">{text}</span>
    </PageHeading>
  )
}
