/** Largest clock error at which a machine may start. */
export const CLOCK_OFF_MS_MAX = 2_000
/** How far the clocks of two machines may differ. */
export const CLOCKS_APART_MS = 2 * CLOCK_OFF_MS_MAX
/** Time that a writer's append may take. */
const APPEND_MS = 6_000
/** In the log, an event may follow events whose recorded time is up to this much later. */
export const RECORDED_LATE_MS = CLOCKS_APART_MS + APPEND_MS
