import { useState } from 'react'
import { idIn, idsIn } from '#contract/typed-text.ts'
import { PER_MARKET_ID_MAX_M } from '#pricing'
import { Field, FieldError, inputStyle, messageFor } from '../../components/ui/field.tsx'
import { count, millions } from '../../lib/format.ts'
import { marketIdProblems } from './draft-problems.ts'
import { changeDraft, isMarketId, type MarketIdPlace, marketIdPlaces } from './draft.ts'
import { MarketListing } from './market-listing.tsx'
import type { QuestionProps } from './step-form.tsx'

const SHOWN_CHARS_MAX = 12

export function MarketIdStep(question: QuestionProps) {
  const places = marketIdPlaces(question.draft)
  return (
    <>
      {places.length > 1 ? <MarketIdList {...question} places={places} /> : <OneMarketId {...question} />}
      <MarketListing places={places} />
    </>
  )
}

function OneMarketId({ draft, problems }: QuestionProps) {
  const [typed = ''] = draft.marketIds
  // Text that cannot become a market ID is marked at once.
  const isWrong = !/^\d{0,8}$/.test(typed)
  return (
    <Field
      id="marketId"
      label="Market ID"
      hint="8 digits, as shown on your listing in the game’s market."
      error={messageFor(isWrong ? marketIdProblems(draft) : problems, 'marketId')}
      inputMode="numeric"
      autoComplete="off"
      inputClassName="min-h-13 font-mono text-xl tracking-[0.15em]"
      value={typed}
      // No `maxLength`: a ninth digit would be cut in silence, which leaves another valid ID.
      onChange={(event) => changeMarketId(event.target.value)}
    />
  )
}

function changeMarketId(text: string): void {
  changeDraft({ marketIds: [idIn(text)] })
}

/** All market IDs of a large order in one text area, and below each with its share of the coins. */
function MarketIdList({ draft, problems, places }: QuestionProps & { places: readonly MarketIdPlace[] }) {
  const needed = places.length
  const [text, setText] = useState(() => draft.marketIds.join('\n'))
  const given = draft.marketIds.filter((one) => one !== '').length
  const error = messageFor(problems, 'marketIds')
  return (
    <div className="grid gap-1.5">
      <label htmlFor="marketIds" className="font-semibold">
        Market IDs
      </label>
      <p id="marketIds-hint" className="max-w-reading text-sm text-muted">
        Paste all {count(needed)} of them, 8 digits each, separated by spaces, commas or line breaks. A listing takes at
        most {millions(PER_MARKET_ID_MAX_M)}; they are filled in this order.
      </p>
      <FieldError id="marketIds" error={error} />
      <textarea
        id="marketIds"
        rows={8}
        autoComplete="off"
        spellCheck={false}
        inputMode="numeric"
        aria-describedby={`marketIds-hint marketIds-count${error === undefined ? '' : ' marketIds-error'}`}
        aria-invalid={error !== undefined || undefined}
        className={`${inputStyle} py-2.5 font-mono text-lg`}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          changeDraft({ marketIds: idsIn(target.value) })
        }}
      />
      <p id="marketIds-count" role="status" className="tabular-nums text-sm text-muted">
        {count(given)} of {count(needed)} market IDs
      </p>
      <ol
        aria-label="Shares"
        className="tabular-nums grid max-h-44 grid-cols-[repeat(auto-fill,minmax(10rem,1fr))] gap-x-4 overflow-y-auto text-sm"
        tabIndex={0}
      >
        {places.map(({ typed, amountM }, index) => (
          <li key={index} className={isMarketId(typed) ? '' : 'text-muted'}>
            <span className="font-mono">{typed.slice(0, SHOWN_CHARS_MAX) || '········'}</span> · {millions(amountM)}
          </li>
        ))}
      </ol>
    </div>
  )
}
