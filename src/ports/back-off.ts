/** How long to pause after so many failures in a row: `from` ms, doubled each time, at most `max`. With `random` (0 to 1) drawn from the upper half. */
export function backOffMs(
  failures: number,
  { from, max }: { readonly from: number; readonly max: number },
  random: () => number = () => 1,
): number {
  return Math.min(from * 2 ** Math.max(0, failures - 1), max) * (0.5 + random() / 2)
}
