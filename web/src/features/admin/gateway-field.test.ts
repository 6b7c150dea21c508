import { expect, it } from 'vitest'
import { stateAfter } from './gateway-field.tsx'

it('says that another gateway was set meanwhile, and saves nothing', () => {
  expect(stateAfter({ is: 'conflict', theirs: 'cashfree', revision: 7 }, 0)).toEqual({
    is: 'not-saved',
    message: 'Not saved: it was set to Cashfree meanwhile.',
  })
  expect(stateAfter({ is: 'saved', settings: {} as never }, 5)).toEqual({ is: 'saved', at: 5 })
})
