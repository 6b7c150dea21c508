/** Raised when a fold stores something else, or a view's fields or indexes change: `shape.test.ts` says when. */
export const SHAPE = 6

/** Identifies the form of all views: sets of another shape are not read, and built anew. */
export function shapeOf({ timeZone }: { timeZone: string }): string {
  return `${SHAPE} ${timeZone}`
}
