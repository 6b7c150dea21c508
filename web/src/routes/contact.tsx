import ExternalLink from 'lucide:external-link'
import Mail from 'lucide:mail'
import { useSearchParams } from 'react-router-dom'
import type { ShopInfo } from '#contract/shop.ts'
import { useShop } from '../api/shop.ts'
import { claims } from '../claims.ts'
import { TextLink } from '../components/layout/policy-page.tsx'
import { BackLink, Page, PageHeading, Card } from '../components/layout/page.tsx'
import { buttonStyle } from '../components/ui/button.tsx'
import { CopyButton } from '../components/ui/copy-button.tsx'
import { Skeleton } from '../components/ui/loaded.tsx'

const answers = [
  { about: 'First answer', time: '2-6 hours' },
  { about: 'High priority', time: '2 hours' },
  { about: 'Normal', time: '6 hours' },
  { about: 'General questions', time: '24 hours' },
  { about: 'Refund requests', time: '2-6 hours' },
]

export function Contact() {
  const shop = useShop()
  const [query] = useSearchParams()
  const order = query.get('order')
  return (
    <Page width="reading">
      <BackLink to="/">Back to Home</BackLink>
      <div className="mt-2 grid gap-8">
        <PageHeading>Contact</PageHeading>
        {order !== null && (
          <p className="flex flex-wrap items-center gap-3">
            Your order number: <strong className="font-mono">{order.slice(0, 20)}</strong>
            <CopyButton text={order} what="order number" />
          </p>
        )}
        {shop === undefined ? <Skeleton className="h-40 w-full" /> : <ContactOptions shop={shop} order={order} />}
        <section className="grid gap-3">
          <h2 className="text-xl">Support Information</h2>
          <dl className="divide-y divide-line border-y border-line">
            {answers.map(({ about, time }) => (
              <div key={about} className="flex justify-between gap-4 py-2">
                <dt className="text-muted">{about}</dt>
                <dd className="font-semibold">{time}</dd>
              </div>
            ))}
          </dl>
        </section>
        <section className="grid gap-3">
          <h2 className="text-xl">Before You Contact Us</h2>
          <ul className="grid list-disc gap-1.5 pl-5">
            <li>Have your order number and the link to your order at hand.</li>
            <li>Have a proof of your payment at hand.</li>
            <li>Look at your order’s status: it may say already what happens next.</li>
            <li>Check the market ID that you gave.</li>
          </ul>
        </section>
        <section className="grid gap-3">
          <h2 className="text-xl">Questions</h2>
          <div>
            <h3 className="text-lg">My coins are not there yet.</h3>
            <p>
              {`A delivery usually takes ${claims.deliveryByPolicy} after the payment is confirmed, longer at peak times, and a pre-order ${claims.preOrder}. The page of your order shows its progress. After that, write to us.`}
            </p>
          </div>
          <div>
            <h3 className="text-lg">I have lost the link to my order.</h3>
            <p>
              <TextLink to="/find-order">Find it by its e-mail address</TextLink>, or write to us with that address and
              a payment proof.
            </p>
          </div>
        </section>
        <section className="grid gap-2">
          <h2 className="text-xl">Support Hours</h2>
          <p className="first-letter:uppercase">{claims.supportHours}</p>
        </section>
      </div>
    </Page>
  )
}

function ContactOptions({ shop, order }: { shop: ShopInfo; order: string | null }) {
  const { discordDmUrl, discordServerUrl, supportEmail } = shop
  const subject = order === null ? '' : `?subject=${encodeURIComponent(`Order ${order.slice(0, 20)}`)}`
  const mail = supportEmail && `mailto:${supportEmail}${subject}`
  const ways = [
    { name: 'Direct Message', text: 'One to one with support. Best for anything about an order.', url: discordDmUrl },
    { name: 'Discord Server', text: 'The community, and news about stock.', url: discordServerUrl },
    { name: 'E-mail', text: supportEmail, url: mail },
  ].flatMap(({ url, ...way }) => (url === null ? [] : [{ url, ...way }]))
  if (ways.length === 0) return <p>There is no way to write to us yet. Please come back later.</p>
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {ways.map(({ name, text, url }) => (
        <Card key={name} className="grid content-start justify-items-start gap-3">
          <h2 className="text-xl">{name}</h2>
          <p className="text-muted wrap-anywhere">{text}</p>
          <a className={buttonStyle()} href={url} {...(url !== mail && { target: '_blank', rel: 'noreferrer' })}>
            {url === mail ? 'Write an e-mail' : 'Open Discord'}
            {url === mail ? <Mail /> : <ExternalLink />}
            {url !== mail && <span className="sr-only">: {name} (opens a new tab)</span>}
          </a>
        </Card>
      ))}
    </div>
  )
}
