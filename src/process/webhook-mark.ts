import type { SharedTexts } from '../engines/view-store/view-store.ts'

const SAVE_EVERY_MS = 60_000

/** When any process got the provider's last webhook. */
export async function lastWebhookAt(texts: SharedTexts, provider: string): Promise<number | undefined> {
  const text = await texts.read(nameOf(provider))
  return text === undefined ? undefined : Number(text)
}

/** Returns a function that saves a webhook's time, at most once a minute. If the views are away, a later time is saved instead. */
export function webhookTimeSaver(texts: SharedTexts): (provider: string, atMs: number) => void {
  const savedAt = new Map<string, number>()
  return (provider, atMs) => {
    if (atMs - (savedAt.get(provider) ?? 0) < SAVE_EVERY_MS) return
    savedAt.set(provider, atMs)
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
