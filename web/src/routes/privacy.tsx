import { Link } from 'react-router-dom'
import type { PolicySection } from '../components/layout/policy-page.tsx'
import { PolicyPage } from '../components/layout/policy-page.tsx'
import { date } from '../lib/format.ts'

const sections: readonly PolicySection[] = [
  {
    id: 'collected',
    heading: 'Information we collect',
    content: (
      <p>
        Your e-mail address, your Discord username, your market IDs and what you ordered. A phone number that a UPI
        gateway asks for is passed on and not kept.
      </p>
    ),
  },
  {
    id: 'use',
    heading: 'How we use it',
    content: <p>To deliver your order, to answer you, and to keep the books. For nothing else.</p>,
  },
  {
    id: 'sharing',
    heading: 'Sharing',
    content: (
      <p>
        The provider of your payment method gets what it needs to take the payment. We sell nothing about you to anyone.
      </p>
    ),
  },
  {
    id: 'security',
    heading: 'Security',
    content: <p>What identifies you is stored encrypted, under a key of your own. Payment data is not stored.</p>,
  },
  {
    id: 'cookies',
    heading: 'Cookies',
    content: (
      <p>
        One short-lived cookie makes sure that you see your own changes. One for each order shows it in full to the
        browser that placed it, for 180 days. Your unfinished order is kept in your browser for a day. There is no
        tracking.
      </p>
    ),
  },
  {
    id: 'retention',
    heading: 'Retention',
    content: (
      <p>
        Transaction records 7 years; support communications 3 years; account data until closure; analytics anonymized
        indefinitely.
      </p>
    ),
  },
  {
    id: 'rights',
    heading: 'Your rights',
    content: (
      <p>You may ask to see, correct or erase what we hold about you. Rights requests are answered within 30 days.</p>
    ),
  },
  {
    id: 'children',
    heading: 'Children',
    content: <p>Under 13 is not allowed. From 13 to 18, parental consent is recommended.</p>,
  },
  {
    id: 'transfers',
    heading: 'International transfers',
    content: <p>Payment providers may handle data in other countries, under their own policies.</p>,
  },
  { id: 'changes', heading: 'Changes', content: <p>Changes to this policy appear on this page.</p> },
  { id: 'legal', heading: 'Legal compliance', content: <p>We give out data only where the law obliges us to.</p> },
  {
    id: 'contact',
    heading: 'Contact',
    content: (
      <p>
        Privacy questions are answered within 48 hours, through our{' '}
        <Link className="link" to="/contact">
          contact page
        </Link>
        .
      </p>
    ),
  },
]

export function Privacy() {
  return <PolicyPage title="Privacy policy" lead={<p>Last updated: {date(new Date())}</p>} sections={sections} />
}
