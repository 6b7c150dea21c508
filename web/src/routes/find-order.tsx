import { useState } from 'react'
import { findOrder } from '../api/orders.ts'
import { useShop } from '../api/shop.ts'
import { BackLink, Page, PageHeading } from '../components/layout/page.tsx'
import { TextLink } from '../components/layout/policy-page.tsx'
import { Button } from '../components/ui/button.tsx'
import { Field } from '../components/ui/field.tsx'
import { Notice } from '../components/ui/notice.tsx'
import { Skeleton } from '../components/ui/loaded.tsx'
import { useForm } from '../components/ui/use-form.ts'

export function FindOrder() {
  const mailsBuyers = useShop()?.mailsBuyers
  return (
    <Page width="narrow">
      <BackLink to="/">Back to Home</BackLink>
      <div className="mt-2 grid gap-6">
        <PageHeading>Find your order</PageHeading>
        {mailsBuyers === undefined && <Skeleton className="h-40 w-full" />}
        {mailsBuyers === true && <FindByMail />}
        {mailsBuyers === false && (
          <p>
            This shop sends no e-mails. <TextLink to="/contact">Write to support</TextLink> with the e-mail address of
            the order and a proof of your payment.
          </p>
        )}
      </div>
    </Page>
  )
}

function FindByMail() {
  const [isAsked, setAsked] = useState(false)
  const { form, problems, isBusy } = useForm<'customerEmail'>({
    check: ({ customerEmail }) => (customerEmail.trim() === '' ? { customerEmail: 'Enter your e-mail address' } : {}),
    act: async ({ customerEmail }) => {
      await findOrder(customerEmail)
      setAsked(true)
    },
    failure: 'Not sent',
  })
  if (isAsked)
    return (
      <Notice tone="good" role="status" title="Look into your mailbox">
        <p>
          If a payment was seen for an order of this address, its link is on the way. It opens for an hour. Look into
          the spam folder, too.
        </p>
      </Notice>
    )
  return (
    <form {...form} noValidate className="grid gap-4">
      <Field
        id="customerEmail"
        name="customerEmail"
        label="E-mail address of the order"
        hint="We mail the links of your paid orders to it."
        type="email"
        autoComplete="email"
        inputMode="email"
        error={problems['customerEmail']}
      />
      <div>
        <Button type="submit" kind="primary" pending={isBusy && 'Sending…'}>
          Send me the links
        </Button>
      </div>
    </form>
  )
}
