import { createElement, type ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { SWRConfig } from 'swr'
import { describe, expect, it, vi } from 'vitest'
import { Unreachable } from '../../../api/client.ts'
import { Attention } from './attention.tsx'
import { ToDeliver } from './to-deliver.tsx'
import { Unplaced } from './unplaced.tsx'

vi.hoisted(() => vi.stubGlobal('window', { matchMedia: () => ({ matches: false }) }))

/** With what SWR knows of every resource. */
function shown(list: ReactElement, known: Readonly<Record<string, unknown>>): string {
  const provider = () => ({ get: () => known, set: () => undefined, delete: () => undefined, keys: () => [].values() })
  const router = createElement(MemoryRouter, null, list)
  return renderToString(createElement(SWRConfig, { value: { provider: provider as never } }, router))
}

const none = { orders: [], payments: [], total: 0, filtered: 0, filteredIsExact: true, next: null, hasMore: false }

describe.for([
  { name: 'that need a person', list: createElement(Attention, { isOneLine: true }) },
  { name: 'to deliver', list: createElement(ToDeliver, { isOneLine: true, endsAt: undefined }) },
  { name: 'of money without an order', list: createElement(Unplaced) },
])('the list $name', ({ list }) => {
  it('says that it could not be loaded, and offers to try again', () => {
    for (const data of [undefined, none]) {
      const text = shown(list, { data, error: new Unreachable('away') })
      expect(text).toContain('could not be loaded')
      expect(text).toContain('Try again')
    }
  })

  it('is not there when it is empty', () => {
    expect(shown(list, { data: none })).toBe('')
  })
})
