import { expect, it } from 'vitest'
import { cashfreeSignature, isSignedByCashfree } from './cashfree-webhook.ts'

const secret = 'cf-client-secret-for-tests'
const timestamp = '1767249003000'
const recorded =
  '{"data":{"order":{"order_id":"PC-1002","order_amount":170.00,"order_currency":"INR","order_tags":null},"payment":{"cf_payment_id":"1453000001","payment_status":"SUCCESS","payment_amount":170.00,"payment_currency":"INR","payment_message":"00::Transaction success","payment_time":"2026-01-01T12:00:00+05:30","bank_reference":"600000000001","auth_id":null,"payment_method":{"upi":{"channel":"collect","upi_id":"testsuccess@gocash"}},"payment_group":"upi"},"customer_details":{"customer_name":null,"customer_id":"cust_1","customer_email":"buyer@example.test","customer_phone":"9999999999"}},"event_time":"2026-01-01T12:00:03+05:30","type":"PAYMENT_SUCCESS_WEBHOOK"}'
const signature = 'ejpZdxJovRMmDbkD1TbC0+OfhviVvLBNFsecRLwbFN4='

const isSigned = (body: string, given: Record<string, unknown> = {}, by = secret): boolean =>
  isSignedByCashfree(Buffer.from(body), { timestamp, signature, ...given }, by)

it('a webhook is accepted by the signature of its exact bytes', () => {
  expect(isSigned(recorded)).toBe(true)
  expect(isSigned(recorded, {}, ` ${secret}\n`)).toBe(true)
  const short = '{"type":"PAYMENT_SUCCESS_WEBHOOK","data":{"order":{"order_id":"PC-1002","order_amount":170.00}}}'
  expect(isSigned(short, { signature: 'WE7shK0vG269233H2Hwm2DPFfpenkiE3tgUnLMPBQhQ=' })).toBe(true)
  expect(isSigned(recorded.replace('SUCCESS', 'FAILURE'))).toBe(false)
})

it('a body that was parsed and serialized again is rejected, since 170.00 became 170', () => {
  const again = JSON.stringify(JSON.parse(recorded))
  expect(again).toContain('"order_amount":170,')
  expect(cashfreeSignature(timestamp, again, secret)).toBe('JhGQrXxQgxiTJEKihIhdQYTmQA4cpt2W00ehjWiaZAA=')
  expect(isSigned(again)).toBe(false)
  expect(isSigned(recorded, { signature: cashfreeSignature(timestamp, again, secret) })).toBe(false)
})

it.for<Record<string, unknown>>([
  { signature: undefined },
  { signature: '' },
  { signature: signature.slice(1) },
  { signature: [signature] },
  { signature: 'é'.repeat(44) },
  { timestamp: undefined },
  { timestamp: '' },
  { timestamp: '1767249003001' },
  { timestamp: ` ${timestamp}` },
])('a webhook with %j is rejected', (given) => {
  expect(isSigned(recorded, given)).toBe(false)
})

it('a webhook signed by another secret, or with more than digits in its timestamp, is rejected', () => {
  expect(isSigned(recorded, { signature: cashfreeSignature(timestamp, recorded, 'another') })).toBe(false)
  expect(isSigned(recorded.slice(1), { timestamp: `${timestamp}{` })).toBe(false)
})
