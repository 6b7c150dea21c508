import type { Offer } from '../../api/offer.ts'
import { claims } from '../../claims.ts'
import { ButtonLink } from './button.tsx'
import { Notice } from './notice.tsx'

/** Says why nothing, or only a pre-order, can be bought now. Else renders nothing. */
export function OfferNotice({ offer: { methods, stockM, takesPreOrders } }: { offer: Offer }) {
  if (methods.length === 0)
    return (
      <Closed title="We take no orders right now">
        No way to pay is switched on. Please come back later: this page goes on by itself.
      </Closed>
    )
  if (stockM > 0) return null
  if (!takesPreOrders)
    return (
      <Closed title="Sold out">
        Please come back later: this page shows new stock by itself. Or ask us when there will be more.
      </Closed>
    )
  return (
    <Notice tone="wait" title="Sold out: you can pre-order">
      {`You pay today at today’s price, and the coins are delivered within ${claims.preOrder}.`}
    </Notice>
  )
}

function Closed({ title, children }: { title: string; children: string }) {
  return (
    <Notice tone="wait" title={title}>
      <p>{children}</p>
      <p>
        <ButtonLink to="/contact">Contact</ButtonLink>
      </p>
    </Notice>
  )
}
