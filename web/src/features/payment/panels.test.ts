import { createElement, type FC } from 'react'
import { renderToString } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Order } from '#contract/order.ts'
import { failureWords } from '../../method-words.ts'
import { CryptoPanel } from './crypto-panel.tsx'
import type { PanelProps } from './payment-problem.tsx'
import { PaypalPanel } from './paypal-panel.tsx'
import { UpiPanel } from './upi-panel.tsx'

const order = {
  id: '00000000-0000-4000-8000-000000000000',
  status: 'pending',
  paymentStatus: 'pending',
  payment: null,
  transactionData: null,
  may: {},
} as unknown as Order

function shown(Panel: (props: PanelProps) => unknown, props: Partial<PanelProps>): string {
  const all = { order, amount: '0.65', holds: 'Reserved', isPayable: true, failed: undefined, ...props }
  return renderToString(createElement(MemoryRouter, null, createElement(Panel as FC<PanelProps>, all)))
}

const panels = [
  { method: 'PayPal', Panel: PaypalPanel, asks: 'with PayPal' },
  { method: 'UPI', Panel: UpiPanel, asks: 'Phone number' },
]

it.for(panels)('the panel of $method asks for payment while the order can be paid', ({ Panel, asks }) => {
  expect(shown(Panel, {})).toContain(asks)
})

it.for(panels)('the panel of $method asks for nothing after a reload during a confirmation', ({ Panel }) => {
  const seen = { ...order, paymentStatus: 'processing' } as const
  expect(shown(Panel, { order: seen, isPayable: false })).toBe('')
})

it('after a reload the crypto panel says that the last payment failed, and shows no new address', () => {
  const failed = {
    ...order,
    paymentStatus: 'failed',
    transactionData: { id: '1', status: 'expired', method: 'crypto' },
  } as const
  const panel = shown(CryptoPanel, { order: failed, failed: failureWords('crypto', 'expired') })
  expect(panel).toContain('Payment expired')
  expect(panel).toContain('Get a fresh address')
})

it('the tab keeps the phone number of a UPI payment over a reload', () => {
  vi.stubGlobal('sessionStorage', { getItem: (key: string) => (key === 'coinshop.phone' ? '"9876543210"' : null) })
  onTestFinished(() => void vi.unstubAllGlobals())
  expect(shown(UpiPanel, {})).toContain('value="9876543210"')
})
