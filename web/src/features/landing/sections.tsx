import type { ReactNode } from 'react'
import type { PaymentMethod } from '#contract/order.ts'
import { useKnownSettings } from '../../api/settings.ts'
import { useShop } from '../../api/shop.ts'
import { claims } from '../../claims.ts'
import { anyMethod } from '../../method-words.ts'
import { promisesOf } from './promises.ts'
import { faqEntries } from './faq.ts'

export function Section({ id, heading, children }: { id?: string; heading: string; children: ReactNode }) {
  return (
    <section
      id={id}
      className="mx-auto w-full max-w-page scroll-mt-20 px-4 py-12 sm:px-6 sm:py-16"
      aria-label={heading}
    >
      <h2 className="mb-6 text-2xl sm:mb-8 sm:text-3xl">{heading}</h2>
      {children}
    </section>
  )
}

const steps = [
  { name: 'Quantity', text: 'Say how many millions. The price follows as you type.' },
  { name: 'Details', text: 'Your e-mail and chat username, so that we can reach you.' },
  { name: 'Market ID', text: 'The 8 digits of your market listing: that is where the coins go.' },
]

/** The methods that are on; undefined while that is not known. */
type Methods = readonly PaymentMethod[] | undefined

export function Process({ methods }: { methods: Methods }) {
  const ways = methods?.length === 0 ? '' : `${anyMethod(methods)}. `
  const payment = { name: 'Payment', text: `${ways}The page follows your payment until the coins are yours.` }
  return (
    <div className="border-y border-line bg-sunk">
      <Section id="process" heading="How it Works">
        <ol className="grid gap-x-8 gap-y-8 sm:grid-cols-2 lg:grid-cols-4">
          {[...steps, payment].map((step, index) => (
            <li key={step.name} className="grid content-start gap-2">
              <span aria-hidden="true" className="figure flex items-center gap-3 text-3xl">
                {index + 1}
                <span className="milled h-2 flex-1 text-edge opacity-60" />
              </span>
              <h3 className="text-xl">{step.name}</h3>
              <p className="text-muted">{step.text}</p>
            </li>
          ))}
        </ol>
      </Section>
    </div>
  )
}

const figures = [
  { figure: claims.players, text: 'players served' },
  { figure: claims.deliveries, text: 'deliveries made' },
  { figure: claims.sold, text: 'coins sold' },
  { figure: claims.uptime, text: 'uptime' },
]

export function WhyUs() {
  const promises = promisesOf({ deliveryMode: useShop()?.deliveryMode, settings: useKnownSettings() })
  return (
    <Section id="why-us" heading="Why Us">
      <dl className="grid grid-cols-2 gap-x-4 gap-y-6 sm:gap-x-8 lg:grid-cols-4">
        {figures.map(({ figure, text }) => (
          <div key={text} className="flex flex-col-reverse justify-end border-t-2 border-ink pt-3">
            <dt className="text-muted">{text}</dt>
            <dd className="figure text-2xl whitespace-nowrap sm:text-3xl">{figure}</dd>
          </div>
        ))}
      </dl>
      <ul className="mt-8 grid gap-3 text-lg sm:flex sm:flex-wrap sm:gap-x-8">
        {promises.map((text) => (
          <li
            key={text}
            className="flex items-center gap-2.5 before:size-2.5 before:flex-none before:rounded-full before:border before:border-amber-edge before:bg-amber"
          >
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

export function Questions({ methods }: { methods: Methods }) {
  return (
    <div className="border-t border-line">
      <Section heading="Questions">
        <div className="max-w-[46rem] border-b border-line">
          {faqEntries(methods).map(({ question, answer }) => (
            <details key={question} className="group border-t border-line">
              <summary className="flex min-h-14 items-center justify-between gap-4 py-3 text-lg font-medium marker:content-none">
                {question}
                <span
                  aria-hidden="true"
                  className="figure text-xl text-muted transition-transform duration-150 group-open:rotate-45"
                >
                  +
                </span>
              </summary>
              <p className="max-w-reading pb-5 text-muted">{answer}</p>
            </details>
          ))}
        </div>
      </Section>
    </div>
  )
}
