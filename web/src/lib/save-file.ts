const KEPT_MS = 60_000

/** Hands a file to the browser, which saves it among the downloads. */
export function saveFile({ name, content }: { name: string; content: Blob }): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  // Safari reads it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS)
}
