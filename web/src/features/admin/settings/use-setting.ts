import type { PaymentSettings } from '#contract/settings.ts'
import { useState } from 'react'
import { mutate } from 'swr'
import { changeSettings } from '../../../api/admin.ts'
import { ApiError, Failure, sayError } from '../../../api/client.ts'
import { pricingKey } from '../../../api/pricing.ts'
import { productsKey } from '../../../api/products.ts'
import { settingsKey } from '../../../api/settings.ts'
import { toast } from '../../../components/ui/toast.ts'
import { useAction } from '../../../components/ui/use-action.ts'
import { type SettingName, type SettingValue, settingText } from './setting-fields.ts'

interface Change {
  readonly value: SettingValue
  /** What the field showed when it was edited. */
  readonly seen: SettingValue
  /** Of the edit: a stock that is sent again is changed once. */
  readonly key: string
}

/** Saves one field, and says whether it is saved. */
export function useSetting(name: SettingName, settings: PaymentSettings) {
  const [sent, setSent] = useState<SettingValue>()
  const [problem, setProblem] = useState<string>()
  const { run: save, isBusy } = useAction(
    async (change: Change, onSaved?: () => void) => {
      setSent(change.value)
      setProblem(undefined)
      const after = await saveSetting(name, change, settings)
      toast('Success', 'Settings updated successfully')
      await mutate(settingsKey, after, { revalidate: false })
      for (const key of [pricingKey, productsKey]) void mutate(key)
      onSaved?.()
    },
    (error) => setProblem(`Failed to update payment settings. ${sayError(error)}`),
  )
  /** What is being saved, else what the shop has. */
  const value = isBusy ? sent : settings[name]
  return { save, isBusy, value, problem, setProblem }
}

async function saveSetting(name: SettingName, change: Change, settings: PaymentSettings): Promise<PaymentSettings> {
  const { value, seen, key } = change
  // The shop applies the difference: what is sold meanwhile stays sold.
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
    // Another field may have been changed.
    return current[name] === value ? current : save(current)
  }
}
