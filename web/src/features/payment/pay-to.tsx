import type { ReactNode } from 'react'
import type { Order } from '#contract/order.ts'
import type { CryptoPayment } from '#contract/payment.ts'
import { buttonStyle } from '../../components/ui/button.tsx'
import { CopyButton } from '../../components/ui/copy-button.tsx'
import { Grouped } from '../../components/ui/grouped.tsx'
import { Notice } from '../../components/ui/notice.tsx'
import { centsOf, usd } from '../../lib/format.ts'
import { coinWords, memoWord, walletLink } from './coin-words.ts'
import { QrCode } from '../../components/ui/qr-code.tsx'

interface PayToProps {
  payment: CryptoPayment
  order: Order
  /** The state and the time left, before the QR code. */
  children: ReactNode
}

/** The amount to send and the address to send it to, each copied by a button, then the same as a QR code. */
export function PayTo({ payment, order, children }: PayToProps) {
  const { pay_address: address, pay_currency: code, amount_due: amount, memo } = payment
  const { name, ticker, network } = coinWords(code, payment.network)
  const isShort = order.paidCents > 0
  const link = walletLink(code, { address, amount })
  const toEnter = memo === null ? 'the amount' : `the amount and the ${memoWord(code)}`
  return (
    <>
      {isShort && (
        <Notice tone="wait">
          {`${usd(order.paidCents)} of ${usd(centsOf(order.totalAmount))} arrived. Please send the rest to this address.`}
        </Notice>
      )}
      {memo !== null && (
        <Notice tone="wait" title={`Do not leave out the ${memoWord(code)}`}>
          {`Many people share this address. Money that is sent without the ${memoWord(code)} cannot be told to be yours, and is lost.`}
        </Notice>
      )}
      <div className="grid gap-6 sm:grid-cols-[minmax(0,1fr)_auto]">
        <div className="grid content-start gap-4">
          <dl className="grid gap-4">
            <Fact term={isShort ? 'Still to send' : 'Send exactly'} copied={amount} what={`${name} amount`}>
              <span className="figure text-xl wrap-anywhere sm:text-2xl">
                {amount} {ticker}
              </span>
            </Fact>
            {network !== undefined && (
              <Fact term="Over this network only">
                <span className="text-lg font-semibold">{network}</span>
              </Fact>
            )}
            <Fact term={`To this ${name} address`} copied={address} what={`${name} address`}>
              <Grouped text={address} />
            </Fact>
            {memo !== null && (
              <Fact term={`With this ${memoWord(code)}`} copied={memo} what={memoWord(code)}>
                <span className="font-mono text-lg font-semibold wrap-anywhere">{memo}</span>
              </Fact>
            )}
          </dl>
          {link !== undefined && (
            <a className={buttonStyle({ kind: 'primary', size: 'large' })} href={link}>
              Open in a wallet
            </a>
          )}
          {children}
        </div>
        <div className="justify-self-center">
          <QrCode
            text={link ?? address}
            label={
              link === undefined
                ? `QR code: the ${name} address beside it`
                : `QR code: pay ${amount} ${ticker} to the address beside it`
            }
            caption={link === undefined ? `This code holds the address only. Enter ${toEnter} yourself.` : undefined}
          />
        </div>
      </div>
    </>
  )
}

interface FactProps {
  term: string
  /** The text of the copy button, and what it is. */
  copied?: string
  what?: string
  children: ReactNode
}

function Fact({ term, copied, what = term, children }: FactProps) {
  return (
    <div>
      <dt className="text-sm text-muted">{term}</dt>
      <dd className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 flex-[1_1_11rem]">{children}</span>
        {copied !== undefined && <CopyButton text={copied} what={what} />}
      </dd>
    </div>
  )
}
