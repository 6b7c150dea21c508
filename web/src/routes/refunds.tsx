import { Link } from 'react-router-dom'
import { claims, policy } from '../claims.ts'
import type { PolicySection } from '../components/layout/policy-page.tsx'
import { PolicyPage } from '../components/layout/policy-page.tsx'

const questions = [
  {
    question: 'I gave a wrong market ID. What now?',
    answer: policy.wrongMarketId,
  },
  {
    question: 'The bot is down. Do I lose my coins?',
    answer: 'No. If it is down for over 48 hours, we discuss the options with you.',
  },
  {
    question: 'Can I get a refund after delivery?',
    answer: `No. ${policy.final}`,
  },
]

const sections: readonly PolicySection[] = [
  {
    id: 'summary',
    heading: 'Quick summary',
    isUnnumbered: true,
    content: (
      <ul className="list-disc pl-5">
        <li>Paid and not delivered: we deliver or refund.</li>
        <li>Delivered: the sale is final.</li>
        <li>Marked as delivered and not arrived: replaced, for 24 hours.</li>
      </ul>
    ),
  },
  {
    id: 'possible',
    heading: 'When a refund is possible',
    content: <p>When an order was paid and not delivered. {policy.final}</p>,
  },
  {
    id: 'ask',
    heading: 'How to ask',
    content: (
      <p>
        {policy.refundRequests} Write to{' '}
        <Link className="link" to="/contact">
          support
        </Link>{' '}
        with your order ID, a payment proof and a description.
      </p>
    ),
  },
  {
    id: 'investigation',
    heading: 'Investigation',
    content: <p>It takes 24-48 hours; the final decision comes within 72 hours.</p>,
  },
  { id: 'resolution', heading: 'Resolution', content: <p>We deliver, refund, or explain why not.</p> },
  {
    id: 'times',
    heading: 'Processing times',
    content: (
      <ul className="list-disc pl-5">
        {['PayPal: 1-3 business days', 'UPI and bank: 3-7 business days', 'Crypto: 1-24 hours'].map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    ),
  },
  {
    id: 'replacement',
    heading: 'Replacement guarantee',
    content: <p>Coins that are marked as delivered and did not arrive are replaced for 24 hours after the delivery.</p>,
  },
  { id: 'chargebacks', heading: 'Chargebacks', content: <p>{policy.chargebacks}</p> },
  { id: 'law', heading: 'Governing law', content: <p>This policy is governed by Indian law.</p> },
  {
    id: 'faq',
    heading: 'Questions',
    isUnnumbered: true,
    content: questions.map(({ question, answer }) => (
      <div key={question}>
        <h3 className="text-lg">{question}</h3>
        <p>{answer}</p>
      </div>
    )),
  },
]

export function Refunds() {
  return <PolicyPage title="Refund policy" lead={<p>Last updated: {claims.policiesOf}</p>} sections={sections} />
}
