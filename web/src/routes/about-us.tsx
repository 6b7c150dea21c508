import { useShopName } from '../api/shop.ts'
import { CoinStack } from '../components/coins/coin-stack.tsx'
import { Page, PageHeading } from '../components/layout/page.tsx'
import { ButtonLink } from '../components/ui/button.tsx'

export function AboutUs() {
  const name = useShopName()
  return (
    <Page width="reading">
      <div className="grid items-start gap-8 sm:grid-cols-[minmax(0,1fr)_auto]">
        <div className="grid gap-5">
          <PageHeading>About Us</PageHeading>
          <p className="text-lg">{name} sells one thing: in-game coins, counted in millions, to players.</p>
          <p className="leading-[1.75]">
            We run it like a good counter. The price of a million stands in large figures on the first page, and so does
            how much is left. You say how much you want, where it goes and how you pay; the page of your order shows
            what has happened to it and what happens next.
          </p>
          <p className="leading-[1.75]">
            There is no account to make. Your personal data is stored encrypted, and what you are charged is what you
            were shown.
          </p>
          <div className="flex flex-wrap gap-3">
            <ButtonLink to="/purchase" kind="primary">
              Buy coins
            </ButtonLink>
            <ButtonLink to="/">Back to Home</ButtonLink>
          </div>
        </div>
        <CoinStack quantityM={100} className="hidden h-72 sm:block" />
      </div>
    </Page>
  )
}
