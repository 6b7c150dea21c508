export interface ProposedEvent {
  readonly id: string
  readonly type: string
  readonly contentType: string
  readonly data: Uint8Array
  readonly metadata: Uint8Array
}

export interface RecordedEvent extends ProposedEvent {
  readonly stream: string
  readonly revision: number
  /** Byte offset in the log; commit and prepare position in one. */
  readonly position: number
  readonly createdMs: number
}

/** How many of these events, whose places rise, lie below a place. */
export function countBelow(events: readonly RecordedEvent[], place: 'revision' | 'position', below: number): number {
  let [low, high] = [0, events.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((events[middle]?.[place] ?? Infinity) < below) low = middle + 1
    else high = middle
  }
  return low
}
