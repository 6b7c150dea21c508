import { beforeEach, expect, it, vi } from 'vitest'
import type { Draft } from './draft.ts'

const STORAGE_KEY = 'coinshop.draft.2'

function storageOf(kept: Map<string, string>) {
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}

/** A browser, whose tabs share one storage and have one each of their own. */
function browser() {
  const local = new Map<string, string>()
  return () => {
    const own = new Map<string, string>()
    const page = new EventTarget()
    const enter = () => {
      vi.stubGlobal('localStorage', storageOf(local))
      vi.stubGlobal('sessionStorage', storageOf(own))
    }
    const load = async () => {
      vi.resetModules()
      vi.stubGlobal('window', page)
      enter()
      const { changeDraft, currentDraft, startNewDraft } = await import('./draft-store.ts')
      return {
        type: (change: Partial<Draft>) => {
          enter()
          changeDraft(change)
        },
        buyAnother: () => {
          enter()
          startNewDraft()
        },
        hearOfOtherTab: () => {
          enter()
          page.dispatchEvent(Object.assign(new Event('storage'), { key: STORAGE_KEY }))
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

it('keeps the name and the address of the buyer over a new order and a reload', async () => {
  const tab = browser()()
  const before = await tab.load()
  before.type({ quantity: '60', customerEmail: 'a@b', discordUsername: 'ann' })
  before.buyAnother()
  const after = await tab.load()
  expect(after.draft()).toMatchObject({ quantity: '', customerEmail: 'a@b', discordUsername: 'ann' })
})

it('opens a second tab with what was typed, and follows the first until something is typed there', async () => {
  const openTab = browser()
  const first = await openTab().load()
  first.type({ quantity: '60' })
  const second = await openTab().load()
  expect(second.draft().quantity).toBe('60')
  first.type({ quantity: '70' })
  second.hearOfOtherTab()
  expect(second.draft().quantity).toBe('70')
  second.type({ customerEmail: 'a@b' })
  first.type({ quantity: '' })
  second.hearOfOtherTab()
  expect(second.draft()).toMatchObject({ quantity: '70', customerEmail: 'a@b' })
})

it('shows what was typed in this tab after a reload, whatever another has saved since', async () => {
  const openTab = browser()
  const mine = openTab()
  const before = await mine.load()
  before.type({ quantity: '60' })
  const other = await openTab().load()
  other.type({ quantity: '5' })
  const after = await mine.load()
  expect(after.draft().quantity).toBe('60')
})
