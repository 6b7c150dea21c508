import { expect, it } from 'vitest'
import { anyMethod, feeSentence, methodNames, methods, waysToPay } from './method-words.ts'

it('each text about how to pay names every method', () => {
  expect(anyMethod()).toMatch(/^PayPal, .+ or \S+$/)
  expect(anyMethod().split(/, | or /)).toHaveLength(methods.length)
  expect(
    waysToPay()
      .split(/(?:, | or |^)by /)
      .slice(1),
  ).toHaveLength(methods.length)
})

it('the sentence about fees names every method', () => {
  expect(feeSentence()).toContain('PayPal adds $0.40.')
  expect(feeSentence()).toMatch(/\. Crypto.* pay the plain total\.$/)
  expect(methods.filter((method) => !feeSentence().includes(methodNames[method]))).toEqual([])
})

it('a method that is off is in no text', () => {
  expect([anyMethod(['paypal', 'upi']), waysToPay(['upi']), feeSentence(['upi']), feeSentence(['paypal'])]).toEqual([
    'PayPal or UPI',
    'by UPI in rupees',
    'UPI pays the plain total.',
    'PayPal adds $0.40.',
  ])
})
