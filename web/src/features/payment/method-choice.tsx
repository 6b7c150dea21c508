import type { PaymentMethod } from '#contract/order.ts'
import { methodWords } from '../../method-words.ts'
import type { MethodOffer } from './method-offers.ts'

interface MethodChoiceProps {
  offers: readonly MethodOffer[]
  picked: PaymentMethod | undefined
  onPick: (method: PaymentMethod) => void
}

export function MethodChoice({ offers, picked, onPick }: MethodChoiceProps) {
  return (
    <fieldset className="grid gap-3">
      <legend className="sr-only">Payment method</legend>
      {offers.map(({ method, isAvailable, reason, charge }) => {
        const { icon: Icon, name, text } = methodWords[method]
        return (
          <label
            key={method}
            className={`flex min-h-20 flex-wrap items-center gap-x-4 gap-y-1 rounded-surface border bg-surface px-4 py-3 has-checked:border-ink has-checked:bg-amber-soft has-checked:ring-1 has-checked:ring-ink has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-blue sm:px-5 ${
              isAvailable ? 'border-edge hover:bg-sunk' : 'cursor-not-allowed border-dashed border-edge bg-transparent'
            }`}
          >
            <input
              type="radio"
              id={`method-${method}`}
              name="method"
              className="size-5 flex-none accent-ink"
              disabled={!isAvailable}
              checked={isAvailable && picked === method}
              onChange={() => onPick(method)}
            />
            <Icon className="size-6 max-sm:hidden" />
            <span className="min-w-0 flex-[1_1_8rem]">
              <span className="block text-lg font-semibold">{name}</span>
              <span className="block text-sm text-muted">{reason ?? text}</span>
            </span>
            {isAvailable && <span className="figure text-xl">{charge}</span>}
          </label>
        )
      })}
    </fieldset>
  )
}
