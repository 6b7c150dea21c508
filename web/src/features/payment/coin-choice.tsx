import ChevronDown from 'lucide:chevron-down'
import { useState } from 'react'
import useSWR from 'swr'
import type { CryptoCurrencies } from '#contract/payment.ts'
import { cryptoCurrenciesKey } from '../../api/orders.ts'
import { Button } from '../../components/ui/button.tsx'
import { Select } from '../../components/ui/field.tsx'
import { coinLabel, inOrder } from './coin-words.ts'

interface CoinChoiceProps {
  /** The coin of the open payment. */
  current: string
  isBusy: boolean
  onChoose: (code: string) => void
}

/** The other accepted coins. Changing to one opens a payment, so a button confirms the choice. */
export function CoinChoice({ current, isBusy, onChoose }: CoinChoiceProps) {
  const { data } = useSWR<CryptoCurrencies>(cryptoCurrenciesKey)
  const others = inOrder(data?.currencies ?? []).filter((code) => code !== current)
  const [picked, setPicked] = useState('')
  const [first] = others
  if (first === undefined) return null
  const chosen = others.includes(picked) ? picked : first
  return (
    <details className="group w-full">
      <summary className="inline-flex min-h-11 cursor-pointer items-center gap-2 font-semibold">
        Pay with another coin
        <ChevronDown className="size-5 transition-transform duration-150 group-open:rotate-180" />
      </summary>
      <form
        className="flex flex-wrap items-end gap-3 pt-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy) onChoose(chosen)
        }}
      >
        <Select
          label="Coin and network"
          className="flex-[1_1_14rem] sm:max-w-xs [&>select]:min-h-11"
          options={Object.fromEntries(others.map((code) => [code, coinLabel(code)]))}
          value={chosen}
          onChange={(event) => setPicked(event.target.value)}
        />
        <Button type="submit" pending={isBusy && 'One moment…'}>
          Pay with this coin
        </Button>
      </form>
    </details>
  )
}
