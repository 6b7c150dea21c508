import type { BuyerTexts } from '../../domain/order/buyer-texts.ts'
import type { Random } from '../../ports/clock-and-random.ts'

/** A made-up buyer; all fields follow from the number. */
export interface Person extends BuyerTexts {
  readonly number: number
  readonly marketId: string
}

/** Share of orders by new buyers. */
const NEW_SHARE = 0.4

const firstNames =
  'ada ben cleo dev esme finn gita hugo iris jon kira leo mina nils omar pia quinn ravi sana tom'.split(' ')
const lastNames = 'abel bose costa dahl engel fox gupta holm ito jha kaur lopez moss nair okoye patel quist roy'.split(
  ' ',
)

/** The next buyer: a new one, or one who has ordered before, the earliest most often. */
export function buyers(random: Random): () => Person {
  let known = 0
  return () => {
    if (known === 0 || random.fraction() < NEW_SHARE) {
      known += 1
      return person(known - 1)
    }
    return person(Math.floor(known * random.fraction() ** 2))
  }
}

function person(number: number): Person {
  const first = firstNames[number % firstNames.length] ?? ''
  const last = lastNames[Math.floor(number / firstNames.length) % lastNames.length] ?? ''
  return {
    number,
    customerEmail: `${first}.${last}.${number}@example.test`,
    discordUsername: `${first}_${last}${number}`,
    marketId: String(10_000_000 + ((number * 7_919) % 90_000_000)),
  }
}
