import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Enough Tab presses for any screen. */
const STOPS_MAX = 60
const READY_MS = 30_000

/** A visitor who uses only the keyboard. Every stop must have a visible focus. */
export function keyboardOf(page: Page) {
  let presses = 0

  const press = async (key: string) => {
    presses += 1
    await page.keyboard.press(key)
  }

  /** Presses Tab, or another key, until this control has the focus. */
  const reach = async (target: Locator, by = 'Tab') => {
    await target.waitFor()
    for (let stops = 0; stops < STOPS_MAX; stops += 1) {
      if (await isFocused(target)) return
      await press(by)
      expect(await page.evaluate(hiddenFocus)).toBe('')
    }
    throw new Error(`${String(target)} is not within ${STOPS_MAX} stops`)
  }

  return {
    press,
    reach,
    type: async (text: string) => page.keyboard.type(text),
    /** Replaces the field's text. */
    retype: async (text: string) => {
      await press('ControlOrMeta+A')
      await page.keyboard.type(text)
    },
    /** Waits until the screen has moved the focus to this control. */
    isAt: async (target: Locator) => {
      await target.waitFor()
      await expect.poll(async () => isFocused(target), { timeout: READY_MS }).toBe(true)
    },
    presses: () => presses,
  }
}

async function isFocused(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === document.activeElement)
}

/** Runs in the page: describes a focus that is invisible or covered. Empty if it is visible. */
function hiddenFocus(): string {
  const focused = document.activeElement
  // After the last stop the focus leaves the page.
  if (focused === null || focused === document.body) return ''
  const name = `${focused.tagName} ${focused.id} ${(focused.textContent ?? '').slice(0, 40)}`
  const label = focused instanceof HTMLInputElement ? (focused.labels?.[0] ?? null) : null
  const ring = [focused, focused.nextElementSibling, label].find((element) => {
    if (element === null) return false
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
  })
  if (ring === undefined || ring === null) return `no focus to be seen: ${name}`
  const box = ring.getBoundingClientRect()
  const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
  const isSeen = top !== null && (ring.contains(top) || top.contains(ring) || label?.contains(top) === true)
  return isSeen ? '' : `under ${top?.tagName ?? 'the edge'} ${top?.className ?? ''}: ${name}`
}
