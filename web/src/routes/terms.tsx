import { claims, policy } from '../claims.ts'
import { PolicyPage, type PolicySections, TextLink } from '../components/layout/policy-page.tsx'
import { anyMethod, feeSentence } from '../method-words.ts'

const sections: PolicySections = {
  Agreement: 'By placing an order you agree to these terms.',
  Age: `You must be ${claims.age} to buy.`,
  'What we sell': 'In-game coins, counted in millions (M). They have no value outside the game and are not money.',
  Prices: `The price of an order is fixed when it is placed. Rupees are shown at one rate, and an order keeps the rate it was placed at. ${feeSentence()}`,
  Orders:
    'An order reserves its coins for a limited time, shown on the order. An order that is not paid in time expires, and its coins can be bought by others.',
  'Market IDs': `You give the 8-digit market IDs that the coins go to, and you answer for their being right. ${policy.wrongMarketId}`,
  Payment: `By ${anyMethod()}. Payments are handled by the provider of each method; we never see your card or bank details.`,
  Delivery: `Usually ${claims.deliveryByPolicy} after the payment is confirmed, longer at peak times. ${policy.final}`,
  'Pre-orders': `When enabled, a quantity above our stock can be pre-ordered, and is delivered within ${claims.preOrder}.`,
  Refunds: (
    <p>
      {policy.refundRequests} See the <TextLink to="/refunds">refund policy</TextLink>.
    </p>
  ),
  Chargebacks: policy.chargebacks,
  'Your order’s address':
    'The address of an order page is the only key to it. Whoever has it can see the order; keep it to yourself.',
  Contact: (
    <p>
      Questions are answered on our <TextLink to="/contact">contact page</TextLink>.
    </p>
  ),
}

export function Terms() {
  return <PolicyPage title="Terms and conditions" updated={claims.policiesOf} sections={sections} />
}
