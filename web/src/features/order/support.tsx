import type { Order } from '#contract/order.ts'
import { useShop } from '../../api/shop.ts'
import { buttonStyle, ButtonLink } from '../../components/ui/button.tsx'

/** Links to a direct message, or to the contact page if the shop has none. */
export function ContactSupport({ order }: { order: Pick<Order, 'orderNumber'> }) {
  const url = useShop()?.discordDmUrl
  if (url === undefined || url === null)
    return <ButtonLink to={`/contact?order=${order.orderNumber}`}>Contact Support</ButtonLink>
  return (
    <a className={buttonStyle()} href={url} target="_blank" rel="noreferrer">
      Contact Support<span className="sr-only"> about order {order.orderNumber} (opens a new tab)</span>
    </a>
  )
}
