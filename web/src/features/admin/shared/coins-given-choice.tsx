import { Choice } from '../../../components/ui/field.tsx'

const names = {
  true: 'Given: the order is completed',
  false: 'Not given: back to stock, the order ends',
}

/** Asked where a refund may end an order whose coins may have been given. */
export function CoinsGivenChoice({ error }: { error: string | undefined }) {
  return <Choice name="coinsGiven" legend="Were the coins given?" options={names} error={error} />
}
