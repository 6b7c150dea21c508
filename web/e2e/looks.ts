import { sizeOf } from '../../src/testing/tier.ts'
import type { BuyerOptions } from './buyer.ts'

export interface Look {
  readonly width: number
  readonly colorScheme: 'light' | 'dark'
}

export const wide: BuyerOptions = { width: 1280 }
export const phone: BuyerOptions = { width: 360, colorScheme: 'dark', isTouched: true }

const widths = [320, 360, 1280]
const themes = ['light', 'dark'] as const

export const everyLook: readonly Look[] = widths.flatMap((width) =>
  themes.map((colorScheme) => ({ width, colorScheme })),
)

const desk: Look = { width: 1280, colorScheme: 'light' }
const narrow: Look = { width: 320, colorScheme: 'dark' }

/** Walks run at one look, the table of screens at two; the night tier runs both at every look. */
export const storyLooks = sizeOf({ fast: [desk], deep: [desk], night: everyLook })
export const screenLooks = sizeOf({ fast: [desk], deep: [desk, narrow], night: everyLook })
