/** Small texts under names that all processes share; those of the view store are. They may be lost. */
export interface SharedTexts {
  read(name: string): Promise<string | undefined>
  /** Sets a text that is still `from`; false, and nothing is changed, where it is another one. */
  replace(name: string, values: { readonly from: string | undefined; readonly to: string }): Promise<boolean>
}

const KEPT_EVERY_MS = 60_000

/** When a provider's last webhook came, as far as all processes know. */
export async function lastWebhookAt(texts: SharedTexts, provider: string): Promise<number | undefined> {
  const text = await texts.read(nameOf(provider))
  return text === undefined ? undefined : Number(text)
}

/** Keeps it, once a minute; where the views are away, a later webhook is kept. */
export function keepingWebhooks(texts: SharedTexts): (provider: string, atMs: number) => void {
  const keptAt = new Map<string, number>()
  return (provider, atMs) => {
    if (atMs - (keptAt.get(provider) ?? 0) < KEPT_EVERY_MS) return
    keptAt.set(provider, atMs)
    void webhookMark(texts, provider, atMs).catch(() => undefined)
  }
}

export async function webhookMark(texts: SharedTexts, provider: string, atMs: number): Promise<void> {
  const from = await texts.read(nameOf(provider))
  await texts.replace(nameOf(provider), { from, to: String(atMs) })
}

function nameOf(provider: string): string {
  return `webhook-${provider}`
}
