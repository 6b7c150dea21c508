/** The pause after consecutive failures: `from` ms, doubled each time, at most `max`. `random` (0 to 1) picks from the upper half of that. */
export function backOffMs(
  failures: number,
  { from, max }: { readonly from: number; readonly max: number },
  random: () => number = () => 1,
): number {
  return Math.min(from * 2 ** Math.max(0, failures - 1), max) * (0.5 + random() / 2)
}
