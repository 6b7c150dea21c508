const CHECK_EVERY_MS = 50

/** Acts once no pointer is pressed, since a layout shift during a press makes the click miss its target. */
export function afterPress(act: () => void): void {
  setTimeout(() => (document.querySelector(':active') === null ? act() : afterPress(act)), CHECK_EVERY_MS)
}
