import type { SharedTexts } from '../engines/view-store/view-store.ts'

const KEPT_EVERY_MS = 60_000

/** When any process got the provider's last webhook. */
export async function lastWebhookAt(texts: SharedTexts, provider: string): Promise<number | undefined> {
  const text = await texts.read(nameOf(provider))
  return text === undefined ? undefined : Number(text)
}

/** Saves the time, once a minute; if the views are away, a later one is saved. */
export function keepingWebhooks(texts: SharedTexts): (provider: string, atMs: number) => void {
  const keptAt = new Map<string, number>()
  return (provider, atMs) => {
    if (atMs - (keptAt.get(provider) ?? 0) < KEPT_EVERY_MS) return
    keptAt.set(provider, atMs)
    void saveWebhookTime(texts, provider, atMs).catch(() => undefined)
  }
}

export async function saveWebhookTime(texts: SharedTexts, provider: string, atMs: number): Promise<void> {
  const from = await texts.read(nameOf(provider))
  await texts.replace(nameOf(provider), { from, to: String(atMs) })
}

function nameOf(provider: string): string {
  return `webhook-${provider}`
}
