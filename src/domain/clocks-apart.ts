/** The largest difference between the clocks of two writers of the log; the start of a shop refuses more. */
export const CLOCKS_APART_MS = 10_000
