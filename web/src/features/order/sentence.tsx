/** A range such as 5-10 minutes stays on one line. */
export function Sentence({ text }: { text: string }) {
  return text.split(/(\d+-\d+ \w+)/).map((part, index) =>
    index % 2 === 1 ? (
      <span key={part} className="whitespace-nowrap">
        {part}
      </span>
    ) : (
      part
    ),
  )
}
