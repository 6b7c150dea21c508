export interface Look {
  readonly width: number
  readonly colorScheme: 'light' | 'dark'
}

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
