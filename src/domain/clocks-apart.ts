/** By how much a machine's clock may be off: a start refuses more. */
export const CLOCK_OFF_MS_MAX = 2_000
/** By how much the clocks of two machines may differ. */
export const CLOCKS_APART_MS = 2 * CLOCK_OFF_MS_MAX
/** Time that a writer's append may take. */
const APPEND_MS = 6_000
/** An event may stand in the log behind events that were recorded so much later. */
export const RECORDED_LATE_MS = CLOCKS_APART_MS + APPEND_MS
