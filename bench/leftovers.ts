/** Processes and folders that must not outlive the bench, or a load test, however it ends. */
const leftovers = new Set<() => void>()

process.on('exit', () => {
  for (const end of leftovers)
    try {
      end()
    } catch {
      // A process that has ended by itself must not keep the others alive.
    }
})

/** Calls `end` when the bench exits, unless the function that it answers was called before. */
export function endWithBench(end: () => void): () => void {
  leftovers.add(end)
  return () => void leftovers.delete(end)
}
