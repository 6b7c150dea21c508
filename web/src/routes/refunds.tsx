import { claims, policy } from '../claims.ts'
import { PolicyPage, type PolicySections, TextLink } from '../components/layout/policy-page.tsx'

const questions = {
  'I gave a wrong market ID. What now?': policy.wrongMarketId,
  'The bot is down. Do I lose my coins?': 'No. If it is down for over 48 hours, we discuss the options with you.',
  'Can I get a refund after delivery?': `No. ${policy.final}`,
}

const sections: PolicySections = {
  'Quick summary': bullets(
    'Paid and not delivered: we deliver or refund.',
    'Delivered: the sale is final.',
    'Marked as delivered and not arrived: replaced, for 24 hours.',
  ),
  'When a refund is possible': `When an order was paid and not delivered. ${policy.final}`,
  'How to ask': (
    <p>
      {policy.refundRequests} Write to <TextLink to="/contact">support</TextLink> with your order ID, a payment proof
      and a description.
    </p>
  ),
  Investigation: 'It takes 24-48 hours; the final decision comes within 72 hours.',
  Resolution: 'We deliver, refund, or explain why not.',
  'Processing times': bullets('PayPal: 1-3 business days', 'UPI and bank: 3-7 business days', 'Crypto: 1-24 hours'),
  'Replacement guarantee':
    'Coins that are marked as delivered and did not arrive are replaced for 24 hours after the delivery.',
  Chargebacks: policy.chargebacks,
  'Governing law': 'This policy is governed by Indian law.',
  Questions: Object.entries(questions).map(([question, answer]) => (
    <div key={question}>
      <h3 className="text-lg">{question}</h3>
      <p>{answer}</p>
    </div>
  )),
}

function bullets(...texts: string[]) {
  return (
    <ul className="list-disc pl-5">
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
}

export function Refunds() {
  return <PolicyPage title="Refund policy" updated={claims.policiesOf} sections={sections} />
}
