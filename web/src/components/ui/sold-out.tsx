import { claims } from '../../claims.ts'
import { ButtonLink } from './button.tsx'
import { Notice } from './notice.tsx'

/** Says what a buyer can do if nothing is in stock. */
export function SoldOut({ takesPreOrders }: { takesPreOrders: boolean }) {
  if (takesPreOrders)
    return (
      <Notice tone="wait" title="Sold out: you can pre-order">
        <p>{`You pay today at today’s price, and the coins are delivered within ${claims.preOrder}.`}</p>
      </Notice>
    )
  return (
    <Notice tone="wait" title="Sold out">
      <p>Please come back later: this page shows new stock by itself. Or ask us when there will be more.</p>
      <p>
        <ButtonLink to="/contact">Contact</ButtonLink>
      </p>
    </Notice>
  )
}
