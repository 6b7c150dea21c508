import { orderCreate } from '#contract/order.ts'
import type { FieldProblem } from '../../components/ui/field.tsx'
import { type Draft, marketIdPlaces, quantityOf } from './draft.ts'

export function customerProblems(draft: Draft): FieldProblem[] {
  const problems: FieldProblem[] = []
  const email = draft.customerEmail.trim()
  if (email === '') problems.push({ field: 'customerEmail', message: 'Enter your e-mail address' })
  else if (!orderCreate.shape.customerEmail.safeParse(email).success) {
    problems.push({ field: 'customerEmail', message: 'Enter an e-mail address with an @, such as name@example.com' })
  }
  const name = draft.discordUsername.trim()
  if (name === '') problems.push({ field: 'discordUsername', message: 'Enter your Discord username' })
  else if (!orderCreate.shape.discordUsername.safeParse(name).success) {
    problems.push({ field: 'discordUsername', message: 'A Discord username has at most 64 characters' })
  }
  return problems
}

export function marketIdProblems(draft: Draft): FieldProblem[] {
  const places = marketIdPlaces(draft)
  return places.flatMap(({ typed }, index) => {
    if (/^\d{8}$/.test(typed)) return []
    const which = places.length === 1 ? 'your market ID' : `market ID ${index + 1}`
    const message = typed === '' ? `Enter ${which}` : `The 8 digits of ${which}: ${typed.length} so far`
    return [{ field: `marketId-${index}`, message }]
  })
}

/** The first step that still lacks something; 3 when only the market ids may. */
export function furthestStep(draft: Draft): 1 | 2 | 3 {
  if (Number.isNaN(quantityOf(draft))) return 1
  return customerProblems(draft).length > 0 ? 2 : 3
}
