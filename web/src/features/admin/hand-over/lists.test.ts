import { createElement, type ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { SWRConfig } from 'swr'
import { expect, it } from 'vitest'
import { Unreachable } from '../../../api/client.ts'
import { ToDeliver } from './to-deliver.tsx'
import { Attention, Unplaced } from './waiting.tsx'

/** The HTML of a list for which SWR returns this response. */
function rendered(list: ReactElement, response: Readonly<Record<string, unknown>>): string {
  const provider = () => ({
    get: () => response,
    set: () => undefined,
    delete: () => undefined,
    keys: () => [].values(),
  })
  const router = createElement(MemoryRouter, null, list)
  return renderToString(createElement(SWRConfig, { value: { provider: provider as never } }, router))
}

const none = { orders: [], payments: [], total: 0, filtered: 0, filteredIsExact: true, next: null, hasMore: false }

const lists = [
  { name: 'of orders that need attention', list: createElement(Attention, { isOneLine: true }) },
  { name: 'of orders to deliver', list: createElement(ToDeliver, { isOneLine: true, endsAt: undefined }) },
  { name: 'of payments without an order', list: createElement(Unplaced) },
]

it.for(lists)('the list $name says that it could not be loaded, and offers to try again', ({ list }) => {
  for (const data of [undefined, none]) {
    const text = rendered(list, { data, error: new Unreachable('away') })
    expect(text).toContain('could not be loaded')
    expect(text).toContain('Try again')
  }
})

it.for(lists)('the list $name renders nothing if it is empty', ({ list }) => {
  expect(rendered(list, { data: none })).toBe('')
})
