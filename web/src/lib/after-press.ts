const LOOK_EVERY_MS = 50

/** Acts once no pointer is pressed: a screen that changes under a press makes it miss its target. */
export function afterPress(act: () => void): void {
  setTimeout(() => (document.querySelector(':active') === null ? act() : afterPress(act)), LOOK_EVERY_MS)
}
