import { Link } from 'react-router-dom'
import { claims, policy } from '../claims.ts'
import type { PolicySection } from '../components/layout/policy-page.tsx'
import { PolicyPage } from '../components/layout/policy-page.tsx'
import { anyMethod, feeSentence } from '../payment-methods.ts'

const refunds = (
  <Link className="link" to="/refunds">
    refund policy
  </Link>
)

const sections: readonly PolicySection[] = [
  { id: 'agreement', heading: 'Agreement', content: <p>By placing an order you agree to these terms.</p> },
  {
    id: 'age',
    heading: 'Age',
    content: <p>You must be {claims.age} to buy.</p>,
  },
  {
    id: 'what-we-sell',
    heading: 'What we sell',
    content: <p>In-game coins, counted in millions (M). They have no value outside the game and are not money.</p>,
  },
  {
    id: 'prices',
    heading: 'Prices',
    content: (
      <p>
        The price of an order is fixed when it is placed. Rupees are shown at one rate, and an order keeps the rate it
        was placed at. {feeSentence}
      </p>
    ),
  },
  {
    id: 'orders',
    heading: 'Orders',
    content: (
      <p>
        An order reserves its coins for a limited time, shown on the order. An order that is not paid in time expires,
        and its coins can be bought by others.
      </p>
    ),
  },
  {
    id: 'market-ids',
    heading: 'Market IDs',
    content: (
      <p>
        You give the 8-digit market IDs that the coins go to, and you answer for their being right.{' '}
        {policy.wrongMarketId}
      </p>
    ),
  },
  {
    id: 'payment',
    heading: 'Payment',
    content: (
      <p>
        By {anyMethod}. Payments are handled by the provider of each method; we never see your card or bank details.
      </p>
    ),
  },
  {
    id: 'delivery',
    heading: 'Delivery',
    content: (
      <p>
        {`Usually ${claims.deliveryByPolicy} after the payment is confirmed, longer at peak times.`} {policy.final}
      </p>
    ),
  },
  {
    id: 'pre-orders',
    heading: 'Pre-orders',
    content: (
      <p>When enabled, a quantity above our stock can be pre-ordered , and is delivered within {claims.preOrder}.</p>
    ),
  },
  {
    id: 'refunds',
    heading: 'Refunds',
    content: (
      <p>
        {policy.refundRequests} See the {refunds}.
      </p>
    ),
  },
  { id: 'chargebacks', heading: 'Chargebacks', content: <p>{policy.chargebacks}</p> },
  {
    id: 'conduct',
    heading: 'Your order’s address',
    content: (
      <p>The address of an order page is the only key to it. Whoever has it can see the order; keep it to yourself.</p>
    ),
  },
  {
    id: 'contact',
    heading: 'Contact',
    content: (
      <p>
        Questions are answered on our{' '}
        <Link className="link" to="/contact">
          contact page
        </Link>
        .
      </p>
    ),
  },
]

export function Terms() {
  return <PolicyPage title="Terms and conditions" lead={<p>Last updated: {claims.policiesOf}</p>} sections={sections} />
}
