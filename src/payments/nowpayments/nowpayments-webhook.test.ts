import { expect, it } from 'vitest'
import { isSignedByNowPayments, nowPaymentsSignature, signedTexts } from './nowpayments-webhook.ts'

const secret = 'np-ipn-secret-for-tests'
const recorded =
  '{"actually_paid":0.29411765,"actually_paid_at_fiat":0,"fee":{"currency":"ltc","depositFee":0.0001,"serviceFee":1e-7,"withdrawalFee":0},"invoice_id":null,"order_description":"5M Pokécoins","order_id":"PC-1001","outcome_amount":0.2911,"outcome_currency":"ltc","parent_payment_id":null,"pay_address":"LTCTESTADDR000000000000000000000001","pay_amount":0.29411765,"pay_currency":"ltc","payin_extra_id":null,"payment_extra_ids":null,"payment_id":5000000001,"payment_status":"finished","price_amount":25,"price_currency":"usd","purchase_id":"4000000001","updated_at":1767225600000}'
const signature =
  '30685835fd2c4604f20e40f3d27c1dabcf5bd16e84620cc9f819c07741d8a0f51d4ac02f9a978846b33be696b5acb97aeea0beb04d2c5ff93d3dd8be95c849b2'
const small = '{"payment_status":"waiting","payment_id":1,"fee":{"b":2,"a":1}}'
const smallSignature =
  '3aa56081c5c63de51c5c2e030d304d828b4f11d2ccb893cb142fdf1bfaa62eae6087c891d3703c0d15123011dbfad493c454ffb529957b7ac44758254b761539'

const isSigned = (body: string, given: string | undefined, by = secret): boolean =>
  isSignedByNowPayments(Buffer.from(body), given, by)

it('a recorded webhook is accepted, also with unsorted keys', () => {
  expect(isSigned(recorded, signature)).toBe(true)
  expect(isSigned(recorded, signature, ` ${secret}\n`)).toBe(true)
  expect(isSigned(small, smallSignature)).toBe(true)
  expect(isSigned(small, smallSignature.toUpperCase())).toBe(true)
})

it('a webhook is accepted when it is signed with the list of its top-level keys, which empties nested objects', () => {
  const listed = recorded.replace(/"fee":{[^}]*}/, '"fee":{}')
  const signed = nowPaymentsSignature(listed, secret)
  expect(signed).toMatch(/^e8e0d057a1026442/)
  expect(isSigned(recorded, signed)).toBe(true)
  expect(isSigned(JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(recorded)).reverse())), signed)).toBe(
    true,
  )
})

it('a signed text keeps arrays, sorts keys and writes numbers as JavaScript does', () => {
  expect(signedTexts(Buffer.from('{"b":[3,{"d":1,"c":1e-7,"a":2}],"a":1.0}'))).toEqual([
    '{"a":1,"b":[3,{"a":2,"c":1e-7,"d":1}]}',
    '{"a":1,"b":[3,{"a":2}]}',
  ])
})

it('a long body is accepted as it was signed, but is not rewritten', () => {
  const long = `{"payment_id":1,"order_id":"${'x'.repeat(10_000)}"}`
  expect(isSigned(long, nowPaymentsSignature(long, secret))).toBe(true)
  expect(signedTexts(Buffer.from(long))).toEqual([])
})

it('numbers beyond double precision are checked as they were signed', () => {
  const exact = '{"actually_paid":0.30000000000000000001,"payment_id":1}'
  expect(isSigned(exact, nowPaymentsSignature(exact, secret))).toBe(true)
})

it.for<[what: string, body: string, given: string | undefined]>([
  ['without a signature', recorded, undefined],
  ['with an empty one', recorded, ''],
  ['with another', recorded, signature.replace('3', '4')],
  ['with a short one', recorded, signature.slice(0, 64)],
  ['with a changed amount', recorded.replace('0.29411765', '9.29411765'), signature],
  ['with nothing in it', '', signature],
  ['that is no JSON', 'payment_id=1', signature],
  ['that is nested without end', '['.repeat(50_000), signature],
  ['that is nested deeply', `${'['.repeat(5_000)}${']'.repeat(5_000)}`, signature],
  ['whose nested objects alone were signed', recorded, nowPaymentsSignature('{"fee":{}}', secret)],
])('a webhook %s is rejected', ([, body, given]) => expect(isSigned(body, given)).toBe(false))
