import { PageHeading } from '../../components/layout/page.tsx'

/** Animated by CSS alone: starts with the first paint, a letter at a time, and stays one text for screen readers. */
export function TypingHeadline({ text }: { text: string }) {
  return (
    <PageHeading title="In-game coins" className="text-3xl tracking-tight sm:text-4xl">
      <span className="sr-only">{text}</span>
      <span aria-hidden="true" className="typed">
        {Array.from(text, (letter, index) => (
          <span key={`${index}-${letter}`}>{letter}</span>
        ))}
      </span>
    </PageHeading>
  )
}
