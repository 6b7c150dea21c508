import type { BuyerOptions } from './buyer.ts'

export interface Look {
  readonly width: number
  readonly colorScheme: 'light' | 'dark'
}

export const wide: BuyerOptions = { width: 1280 }
export const phone: BuyerOptions = { width: 360, colorScheme: 'dark', isTouched: true }

/** `WALKS=all` walks at every width and theme, and takes a while. */
export const isThorough = process.env['WALKS'] === 'all'

const widths = [320, 360, 1280]
const themes = ['light', 'dark'] as const

export const everyLook: readonly Look[] = widths.flatMap((width) =>
  themes.map((colorScheme) => ({ width, colorScheme })),
)

/** The widest and the narrowest, each in another theme. */
export const looks: readonly Look[] = isThorough
  ? everyLook
  : [
      { width: 1280, colorScheme: 'light' },
      { width: 320, colorScheme: 'dark' },
    ]
