const range = /(\d+-\d+ (?:business )?\w+|\d+:\d+ [AP]M-\d+:\d+ [AP]M)/

/** A range such as 5-10 minutes stays on one line, where a line has room for it. */
export function Sentence({ text }: { text: string }) {
  return text.split(range).map((part, index) =>
    index % 2 === 1 ? (
      <span key={`${index}-${part}`} className="inline-block">
        {part}
      </span>
    ) : (
      part
    ),
  )
}
