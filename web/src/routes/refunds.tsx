import { Link } from 'react-router-dom'
import type { PolicySection } from '../components/layout/policy-page.tsx'
import { PolicyPage } from '../components/layout/policy-page.tsx'

const questions = [
  {
    question: 'I gave a wrong market ID. What now?',
    answer:
      'Write to support at once. It can possibly be corrected within 10 minutes, if the delivery has not started.',
  },
  {
    question: 'The bot is down. Do I lose my coins?',
    answer: 'No. If it is down for over 48 hours, we discuss the options with you.',
  },
  {
    question: 'Can I get a refund after delivery?',
    answer: 'No. Once delivered, the sale is final. There is a replacement guarantee of 24 hours.',
  },
]

const sections: readonly PolicySection[] = [
  {
    id: 'summary',
    heading: 'When a refund is possible',
    content: <p>When an order was paid and not delivered. Once delivered, the sale is final.</p>,
  },
  {
    id: 'ask',
    heading: 'How to ask',
    content: <p>Contact support within 24 hours with your order ID, a payment proof and a description.</p>,
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
        <li>Wallet: 1-3 business days</li>
        <li>UPI and bank: 3-7 business days</li>
        <li>Crypto: 1-24 hours</li>
      </ul>
    ),
  },
  { id: 'replacement', heading: 'Replacement guarantee', content: <p>For 24 hours after the delivery.</p> },
  {
    id: 'chargebacks',
    heading: 'Chargebacks',
    content: (
      <p>
        A chargeback without first contacting support leads to account suspension, a permanent ban, blacklisting and
        possible legal action.
      </p>
    ),
  },
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
  const lead = (
    <p>
      In short: not delivered means refunded, delivered means final. Write to{' '}
      <Link className="link" to="/contact">
        support
      </Link>{' '}
      within 24 hours.
    </p>
  )
  return <PolicyPage title="Refund policy" lead={lead} sections={sections} />
}
