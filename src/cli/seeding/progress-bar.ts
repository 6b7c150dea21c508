const WIDTH = 30
const REDRAWN_MS = 200
const LINE_EVERY_MS = 5_000

/** How far something is: one line that is drawn again and again on a terminal, a new line now and then elsewhere. */
export function progressBar(
  stream: { readonly isTTY?: boolean; write(text: string): unknown },
  what: { total: number; unit: string; now?: () => number },
): (done: number) => void {
  const { total, unit, now = () => performance.now() } = what
  const beganAt = now()
  let drawnAt = -Infinity
  return (done) => {
    const at = now()
    const isEnd = done >= total
    if (!isEnd && at - drawnAt < (stream.isTTY ? REDRAWN_MS : LINE_EVERY_MS)) return
    drawnAt = at
    const line = barLine({ done, total, unit, seconds: (at - beganAt) / 1_000 })
    stream.write(stream.isTTY ? `\r${line}${isEnd ? '\n' : ''}` : `${line}\n`)
  }
}

export function barLine(progress: { done: number; total: number; unit: string; seconds: number }): string {
  const { done, total, unit, seconds } = progress
  const share = total === 0 ? 1 : done / total
  const filled = Math.round(share * WIDTH)
  const bar = `${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}`
  const perSecond = seconds > 0 ? Math.round(done / seconds) : 0
  const percent = String(Math.floor(share * 100)).padStart(3)
  return `[${bar}] ${percent} %  ${grouped(done)} of ${grouped(total)} ${unit}, ${grouped(perSecond)}/s`
}

function grouped(count: number): string {
  return count.toLocaleString('en-US')
}
