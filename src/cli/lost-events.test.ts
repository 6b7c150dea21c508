import { expect, it } from 'vitest'
import { whatIsLost } from './lost-events.ts'

it.each([
  [{ knownHead: '12', head: '9' }, true, 'up to 3 events are lost'],
  [{ knownHead: '9', head: '9' }, true, 'what came after it is lost'],
  // Positions of EventStoreDB count bytes.
  [{ knownHead: '4811', head: '4600' }, false, 'what came after it is lost'],
])('the loss of %j in a file (%s) is reported as: %s', (heads, isFile, line) => {
  expect(whatIsLost(heads, { isFile })).toBe(line)
})
