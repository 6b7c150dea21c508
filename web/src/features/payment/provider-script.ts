import { Failure } from '../../api/client.ts'

const LOAD_TIMEOUT_MS = 15_000

/** Loads a provider's script once and returns the global `name` that it defines. */
export async function providerScript<Found>(address: string, name: string, provider: string): Promise<Found> {
  const found = (): Found | undefined => (window as unknown as Record<string, Found | undefined>)[name]
  const before = found()
  if (before !== undefined) return before
  const notLoaded = `${provider} did not answer. Please try again, or choose another way to pay.`
  const script = document.createElement('script')
  script.src = address
  script.async = true
  await new Promise<void>((resolve, reject) => {
    setTimeout(() => reject(new Failure(notLoaded)), LOAD_TIMEOUT_MS)
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => reject(new Failure(notLoaded)))
    document.head.append(script)
  })
  const loaded = found()
  if (loaded === undefined) throw new Failure(notLoaded)
  return loaded
}
