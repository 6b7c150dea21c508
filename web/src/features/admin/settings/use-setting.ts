import type { PaymentSettings } from '#contract/settings.ts'
import { useState } from 'react'
import { mutate } from 'swr'
import { changeSettings } from '../../../api/admin.ts'
import { ApiError, Failure, sayError } from '../../../api/client.ts'
import { pricingKey, productsKey, settingsKey } from '../../../api/settings.ts'
import { shopKey } from '../../../api/shop.ts'
import { toast, useAction } from '../../../components/ui/use-action.ts'
import { randomKey } from '../../../lib/random-key.ts'
import { settingLabel, type SettingName, type SettingValue, settingText } from './setting-fields.ts'

interface Change {
  readonly value: SettingValue
  /** The value that the field showed before the edit. */
  readonly seen: SettingValue
  /** One idempotency key per edit: a repeated request changes the stock once. */
  readonly key: string
}

/** Saves one setting and reports the state of the save. */
export function useSetting(name: SettingName, settings: PaymentSettings) {
  const [sent, setSent] = useState<SettingValue>()
  const [problem, setProblem] = useState<string>()
  const { run: save, isBusy } = useAction(
    async (change: Change, onSaved?: () => void) => {
      setSent(change.value)
      setProblem(undefined)
      const after = await saveSetting(name, change, settings)
      toast('Success', 'Settings updated successfully', { undo: undoOf(name, change, after) })
      await showSaved(after)
      onSaved?.()
    },
    (error) => setProblem(`Failed to update payment settings. ${sayError(error)}`),
  )
  /** The value being saved, else the saved one. */
  const value = isBusy ? sent : settings[name]
  return { save, isBusy, value, problem, setProblem }
}

async function showSaved(after: PaymentSettings): Promise<void> {
  await mutate(settingsKey, after, { revalidate: false })
  for (const key of [pricingKey, productsKey, shopKey]) void mutate(key)
}

/** Restores the former value by a second change, refused if others have changed it since. The stock moves with sales. */
function undoOf(name: SettingName, { value, seen }: Change, after: PaymentSettings) {
  if (name === 'currentStock' || seen === undefined || seen === null) return undefined
  const what = `${settingLabel(name)} back to ${settingText(name, seen)}`
  const restore = async () => {
    await showSaved(await saveSetting(name, { value: seen, seen: value, key: randomKey() }, after))
    toast('Success', `${what}.`)
  }
  return {
    what,
    run: () => void restore().catch((error: unknown) => toast('Not undone', sayError(error), { destructive: true })),
  }
}

async function saveSetting(name: SettingName, change: Change, settings: PaymentSettings): Promise<PaymentSettings> {
  const { value, seen, key } = change
  // The server applies the difference, which keeps sales made meanwhile.
  if (name === 'currentStock') {
    const stock = { currentStock: Number(value), currentStockSeen: Number(seen) }
    return changeSettings(stock, { 'Idempotency-Key': key })
  }
  const save = async (now: PaymentSettings) => {
    if (now[name] !== seen) throw new Failure(`Somebody set this to ${settingText(name, now[name])} meanwhile.`)
    return changeSettings({ [name]: value }, { 'If-Match': `"${now.revision}"` })
  }
  try {
    return await save(settings)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 412) throw error
    const current = error.problem['current'] as PaymentSettings
    await mutate(settingsKey, current, { revalidate: false })
    // The conflict may be about another setting.
    return current[name] === value ? current : save(current)
  }
}
