import { expect, it } from 'vitest'
import { driverRejections } from './driver-rejections.ts'

it("the driver's rejections are logged once a minute, those of others are thrown", () => {
  const lines: string[] = []
  let now = 0
  const take = driverRejections({ say: (line) => lines.push(line), now: () => now })
  const ofDriver = Object.assign(new Error('channel\nclosed'), {
    stack: 'Error: channel closed\n    at x (/shop/node_modules/@grpc/grpc-js/build/src/channel.js:1:1)',
  })
  take(ofDriver)
  take(ofDriver)
  now = 60_000
  take(ofDriver)
  expect(lines).toEqual(
    Array.from({ length: 2 }, () => 'the driver of EventStoreDB failed outside a call: channel closed'),
  )
  const other = new Error('ours')
  expect(() => take(other)).toThrow(other)
})
