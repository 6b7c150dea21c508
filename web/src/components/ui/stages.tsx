import Check from 'lucide:check'

interface StagesProps {
  names: readonly string[]
  /** How many are done. */
  reached: number
}

/** What an order goes through, and how far it has come. */
export function Stages({ names, reached }: StagesProps) {
  return (
    <div className="@container">
      <ol aria-label="Progress" className="grid grid-cols-1 gap-2 @min-[15rem]:grid-cols-3">
        {names.map((name, index) => {
          const isReached = index < reached
          return (
            <li
              key={name}
              aria-current={index === reached ? 'step' : undefined}
              className="grid content-start gap-1.5 text-sm"
            >
              <span aria-hidden="true" className={`milled h-2 ${isReached ? 'text-green' : 'text-line'}`} />
              <span className={`flex items-center gap-1 ${isReached ? 'font-medium text-green' : 'text-muted'}`}>
                {isReached && <Check className="size-4" />}
                {name}
                <span className="sr-only">{isReached ? ': done' : ': not yet'}</span>
              </span>
            </li>
          )
        })}
      </ol>
    </div>
  )
}
