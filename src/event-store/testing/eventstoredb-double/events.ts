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
