import { sizeOf } from '../../src/testing/tier.ts'

export interface Look {
  readonly width: number
  readonly colorScheme: 'light' | 'dark'
  /** Emulates a phone with touch, not only its width. */
  readonly isTouched?: boolean
}

export const wide: Look = { width: 1280, colorScheme: 'light' }
export const narrow: Look = { width: 320, colorScheme: 'dark' }
export const phone: Look = { width: 360, colorScheme: 'dark', isTouched: true }

const widths = [320, 360, 1280]
const themes = ['light', 'dark'] as const

const everyLook: readonly Look[] = widths.flatMap((width) => themes.map((colorScheme) => ({ width, colorScheme })))

/** Walks run at one look and screen checks at two. The night tier runs both at every look. */
export const storyLooks = sizeOf({ fast: [wide], deep: [wide], night: everyLook })
export const screenLooks = sizeOf({ fast: [wide], deep: [wide, narrow], night: everyLook })
