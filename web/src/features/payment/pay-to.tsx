import type { ReactNode } from 'react'
import type { Order } from '#contract/order.ts'
import type { CryptoPayment } from '#contract/payment.ts'
import { CopyButton } from '../../components/ui/copy-button.tsx'
import { Grouped } from '../../components/ui/grouped.tsx'
import { Notice } from '../../components/ui/notice.tsx'
import { centsOf, usd } from '../../lib/format.ts'
import { coinWords, memoWord, walletLink } from './coin-words.ts'
import { QrCode } from './qr-code.tsx'

/** The amount to send and the address to send it to. */
export function PayTo({ payment, order }: { payment: CryptoPayment; order: Order }) {
  const { pay_address: address, pay_currency: code, amount_due: amount, memo } = payment
  const { name, ticker, network } = coinWords(code, payment.network)
  const isShort = order.paidCents > 0
  const link = walletLink(code, { address, amount })
  const toEnter = memo === null ? 'the amount' : `the amount and the ${memoWord(code)}`
  return (
    <>
      {isShort && (
        <Notice tone="wait">
          <p className="tabular">
            {usd(order.paidCents)} of {usd(centsOf(order.totalAmount))} arrived. Please send the rest to this address.
          </p>
        </Notice>
      )}
      {memo !== null && (
        <Notice tone="wait" title={`Do not leave out the ${memoWord(code)}`}>
          <p>
            Many people share this address. Money that is sent without the {memoWord(code)} cannot be told to be yours,
            and is lost.
          </p>
        </Notice>
      )}
      <div className="grid justify-items-center gap-6 sm:grid-cols-[auto_minmax(0,1fr)] sm:justify-items-stretch">
        <QrCode
          text={link ?? address}
          label={
            link === undefined
              ? `QR code: the ${name} address beside it`
              : `QR code: pay ${amount} ${ticker} to the address beside it`
          }
          caption={link === undefined ? `This code holds the address only. Enter ${toEnter} yourself.` : undefined}
        />
        <dl className="grid w-full content-start gap-4">
          <Fact term={isShort ? 'Still to send' : 'Send exactly'}>
            <span className="figure text-2xl wrap-anywhere">
              {amount} {ticker}
            </span>
            <CopyButton text={amount} what={`${name} amount`} />
          </Fact>
          {network !== undefined && (
            <Fact term="Over this network only">
              <span className="text-lg font-semibold">{network}</span>
            </Fact>
          )}
          <Fact term={`To this ${name} address`}>
            <Grouped text={address} />
            <span className="flex flex-wrap gap-2">
              <CopyButton text={address} what={`${name} address`} />
              {link !== undefined && (
                <a className="link inline-flex min-h-11 items-center px-2" href={link}>
                  Open in a wallet
                </a>
              )}
            </span>
          </Fact>
          {memo !== null && (
            <Fact term={`With this ${memoWord(code)}`}>
              <span className="font-mono text-lg font-semibold wrap-anywhere">{memo}</span>
              <CopyButton text={memo} what={memoWord(code)} />
            </Fact>
          )}
        </dl>
      </div>
    </>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="grid gap-1">
      <dt className="text-sm text-muted">{term}</dt>
      <dd className="grid justify-items-start gap-2">{children}</dd>
    </div>
  )
}
