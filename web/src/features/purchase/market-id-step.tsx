import { Field, messageFor } from '../../components/ui/field.tsx'
import { marketIdProblems } from './answers.ts'
import { marketIdPlaces } from './draft.ts'
import { changeDraft } from './draft-store.ts'
import { MarketIdList } from './market-id-list.tsx'
import type { QuestionProps } from './step-form.tsx'

export function MarketIdStep({ draft, problems }: QuestionProps) {
  if (marketIdPlaces(draft).length > 1) return <MarketIdList draft={draft} problems={problems} />
  const [typed = ''] = draft.marketIds
  // What can become no market ID by typing on is said at once.
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
      maxLength={8}
      // The field itself would cut it to its length, without a word.
      onPaste={(event) => {
        event.preventDefault()
        type(event.clipboardData.getData('text'))
      }}
      onChange={(event) => type(event.target.value)}
    />
  )
}

function type(text: string): void {
  changeDraft({ marketIds: [text.replaceAll(/\s/g, '')] })
}
