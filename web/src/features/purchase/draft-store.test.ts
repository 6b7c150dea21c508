import { beforeEach, expect, it, vi } from 'vitest'
import type { Draft } from './draft.ts'

function storageOf(kept: Map<string, string>) {
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}

/** A browser whose tabs share one storage and have one of their own. */
function browser() {
  const local = new Map<string, string>()
  return () => {
    const own = new Map<string, string>()
    const enter = () => {
      vi.stubGlobal('localStorage', storageOf(local))
      vi.stubGlobal('sessionStorage', storageOf(own))
    }
    const load = async () => {
      vi.resetModules()
      enter()
      const { changeDraft, currentDraft, draftToPlace, startNewDraft } = await import('./draft.ts')
      return {
        type: (change: Partial<Draft>) => {
          enter()
          changeDraft(change)
        },
        place: () => {
          enter()
          return draftToPlace('0.25')
        },
        buyAnother: () => {
          enter()
          startNewDraft()
        },
        draft: currentDraft,
      }
    }
    return { load }
  }
}

beforeEach(() => {
  return () => vi.unstubAllGlobals()
})

it('a new draft keeps the buyer’s e-mail and name, also after a reload', async () => {
  const tab = browser()()
  const before = await tab.load()
  before.type({ quantity: '60', customerEmail: 'a@b', discordUsername: 'ann' })
  before.buyAnother()
  const after = await tab.load()
  expect(after.draft()).toMatchObject({ quantity: '', customerEmail: 'a@b', discordUsername: 'ann' })
})

it('a second tab starts with the draft of the first', async () => {
  const openTab = browser()
  const first = await openTab().load()
  first.type({ quantity: '60' })
  expect((await openTab().load()).draft().quantity).toBe('60')
})

it('a reloaded tab shows its own draft, even if another tab has saved one since', async () => {
  const openTab = browser()
  const mine = openTab()
  const before = await mine.load()
  before.type({ quantity: '60' })
  const other = await openTab().load()
  other.type({ quantity: '5' })
  const after = await mine.load()
  expect(after.draft().quantity).toBe('60')
})

it('a tab takes the order that another tab has placed of the same draft, but of no other draft', async () => {
  const openTab = browser()
  const first = await openTab().load()
  first.type({ quantity: '60', customerEmail: 'a@b' })
  const second = await openTab().load()
  second.type({ placed: { content: 'of both', orderId: 'order-1' } })
  expect(first.place().placed?.orderId).toBe('order-1')
  first.buyAnother()
  first.type({ quantity: '7' })
  second.type({ quantity: '60' })
  expect(first.place()).toMatchObject({ quantity: '7', placed: null })
})
