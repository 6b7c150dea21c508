import { expect, it } from 'vitest'
import { anyMethod, feeSentence, methodNames, methods, waysToPay } from './method-words.ts'

it('names every method where a buyer reads how to pay', () => {
  expect(anyMethod).toMatch(/^PayPal, .+ or \S+$/)
  expect(anyMethod.split(/, | or /)).toHaveLength(methods.length)
  expect(waysToPay.split(/(?:, | or |^)by /).slice(1)).toHaveLength(methods.length)
})

it('says of every method whether it costs a fee', () => {
  expect(feeSentence).toContain('PayPal adds $0.40.')
  expect(feeSentence).toMatch(/\. Crypto.* pay the plain total\.$/)
  expect(methods.filter((method) => !feeSentence.includes(methodNames[method]))).toEqual([])
})
