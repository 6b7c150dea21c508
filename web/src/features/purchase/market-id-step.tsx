import { PER_MARKET_ID_MAX_M } from '#pricing'
import type { FieldProblem } from '../../components/ui/field.tsx'
import { Field, messageFor } from '../../components/ui/field.tsx'
import { millions } from '../../lib/format.ts'
import type { Draft } from './draft.ts'
import { MARKET_ID_FIELDS_MAX, marketIdPlaces, withMarketIds } from './draft.ts'
import { marketIdExcesses } from './answers.ts'
import { MarketIdList } from './market-id-list.tsx'

interface MarketIdStepProps {
  draft: Draft
  problems: readonly FieldProblem[]
  onChange: (change: Partial<Draft>) => void
}

export function MarketIdStep({ draft, problems, onChange }: MarketIdStepProps) {
  const places = marketIdPlaces(draft)
  const isOne = places.length === 1
  const excesses = marketIdExcesses(draft)
  if (places.length > MARKET_ID_FIELDS_MAX)
    return <MarketIdList draft={draft} problems={problems} onChange={onChange} />
  return (
    <div className="grid gap-6">
      {!isOne && (
        <p className="max-w-reading text-muted">
          A listing takes at most {PER_MARKET_ID_MAX_M}M, so this order needs {places.length} market IDs. You can paste
          them all into the first field.
        </p>
      )}
      <div className={isOne ? '' : 'grid gap-5 sm:grid-cols-2'}>
        {places.map(({ amountM, typed }, index) => (
          <Field
            // Fields have no identity but their position.
            key={`place-${index}`}
            id={`marketId-${index}`}
            label={isOne ? 'Market ID' : `Market ID ${index + 1}, for ${millions(amountM)}`}
            hint={isOne ? '8 digits, as shown on your listing in the game’s market.' : undefined}
            error={messageFor([...problems, ...excesses], `marketId-${index}`)}
            inputMode="numeric"
            autoComplete="off"
            inputClassName="min-h-13 font-mono text-xl tracking-[0.15em]"
            value={typed}
            maxLength={8}
            // The field itself would join pasted lines, and cut them to its length.
            onPaste={(event) => {
              event.preventDefault()
              const { value, selectionStart, selectionEnd } = event.currentTarget
              const [before, after] = [
                value.slice(0, selectionStart ?? value.length),
                value.slice(selectionEnd ?? value.length),
              ]
              onChange(withMarketIds(draft, index, before + event.clipboardData.getData('text') + after))
            }}
            onDrop={(event) => {
              event.preventDefault()
              onChange(withMarketIds(draft, index, typed + event.dataTransfer.getData('text')))
            }}
            onChange={(event) => onChange(withMarketIds(draft, index, event.target.value))}
          />
        ))}
      </div>
    </div>
  )
}
