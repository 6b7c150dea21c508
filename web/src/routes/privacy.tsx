import { personalDataOfOrder } from '#contract/buyer.ts'
import { PolicyPage, type PolicySections, TextLink } from '../components/layout/policy-page.tsx'
import { date } from '../lib/format.ts'

const sections: PolicySections = {
  'Information we collect': `Your ${personalDataOfOrder}, and what you ordered. A phone number that a UPI gateway asks for is passed on and not kept.`,
  'How we use it':
    'To deliver your order, to write to you about it, to answer you, and to keep the books. To refuse further orders after fraud, a chargeback or abuse, we keep keyed hashes of the e-mail address, chat name and payment account, which we can compare but not read. For nothing else.',
  Sharing:
    'The provider of your payment method gets what it needs to take the payment. We sell nothing about you to anyone.',
  Security:
    'What identifies you is encrypted in our records, under a key of your own; only the list by which our staff find your orders is not. Payment data is not stored.',
  Cookies:
    'One short-lived cookie makes sure that you see your own changes. Another one for each order lets the browser that placed it show the order in full, for 180 days. Your unfinished order is kept in your browser for a day, and the numbers of your last five orders until you have seen that they are done. There is no tracking.',
  Retention:
    'Transaction records 7 years; support communications 3 years; account data until closure; analytics anonymized indefinitely. The hashes of a refused buyer are deleted after 24 months unless the block is renewed, or when it is lifted; they outlive an erasure, and then lead to no name and no order.',
  'Your rights':
    'You may ask to see, correct or erase what we hold about you. Rights requests are answered within 30 days. If an order of yours was refused and you object, write to us: a person decides.',
  Children: 'Under 13 is not allowed. From 13 to 18, parental consent is recommended.',
  'International transfers': 'Payment providers may handle data in other countries, under their own policies.',
  Changes: 'Changes to this policy appear on this page.',
  'Legal compliance': 'We give out data only where the law obliges us to.',
  Contact: (
    <p>
      Privacy questions are answered within 48 hours, through our <TextLink to="/contact">contact page</TextLink>.
    </p>
  ),
}

export function Privacy() {
  return <PolicyPage title="Privacy policy" updated={date(new Date())} sections={sections} />
}
