import type { Order } from '#contract/order.ts'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, it } from 'vitest'
import { NextAction } from './order-actions.tsx'

/** The step's button of an order that asks for these reasons. */
function buttonOf(reasons: readonly string[]): string {
  const may = { approve: true, deliver: false }
  const order = { may, attention: { reasons } } as unknown as Order
  return renderToString(createElement(NextAction, { order, kind: 'primary', onAction: () => undefined }))
}

it('Approve is the filled button, but for an order whose payment is disputed', () => {
  expect(buttonOf(['short'])).toContain('bg-amber')
  expect(buttonOf(['disputed', 'over'])).toMatch(/Approve/)
  expect(buttonOf(['disputed', 'over'])).not.toContain('bg-amber')
})
