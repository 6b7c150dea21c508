import { Fragment } from 'react'

/** Shows a reference in groups of four, as people compare them. It stays one word to screen readers and when copied. */
export function Grouped({ text, className = '' }: { text: string; className?: string }) {
  const parts = text.match(/.{1,4}/g) ?? []
  return (
    <span className={`font-mono ${className}`}>
      {parts.map((part, index) =>
        index === parts.length - 1 ? (
          part
        ) : (
          <Fragment key={`${index}-${part}`}>
            {part.slice(0, -1)}
            <span className="tracking-[0.4em]">{part.slice(-1)}</span>
            <wbr />
          </Fragment>
        ),
      )}
    </span>
  )
}
