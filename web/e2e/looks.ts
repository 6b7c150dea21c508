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

/** A story is told at one look; every screen is seen at two; at night all are at every look. */
export const storyLooks = sizeOf({ fast: [desk], deep: [desk], night: everyLook })
export const screenLooks = sizeOf({ fast: [desk], deep: [desk, narrow], night: everyLook })
