/** What must not outlive the bench, however it ends: processes and folders. */
const leftovers = new Set<() => void>()

process.on('exit', () => {
  for (const end of leftovers) end()
})

/** Ends this with the bench, at the latest; the answer takes it off the list. */
export function endWithBench(end: () => void): () => void {
  leftovers.add(end)
  return () => void leftovers.delete(end)
}
