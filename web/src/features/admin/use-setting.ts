import type { PaymentSettings } from '#contract/settings.ts'
import { useState } from 'react'
import { mutate } from 'swr'
import { changeSettings } from '../../api/admin.ts'
import { ApiError, Failure, sayError } from '../../api/client.ts'
import { pricingKey } from '../../api/pricing.ts'
import { productsKey } from '../../api/products.ts'
import { settingsKey } from '../../api/settings.ts'
import { toast } from '../../components/ui/toast.ts'
import { useAction } from '../../components/ui/use-action.ts'
import { type SettingName, type SettingValue, settingText } from './setting-fields.ts'

interface Change {
  readonly value: SettingValue
  /** What the field showed when it was edited. */
  readonly seen: SettingValue
  /** Of the edit: a stock that is sent again is changed once. */
  readonly key: string
}

/** The field was set elsewhere since it was edited. */
class SetElsewhere extends Failure {
  readonly theirs: SettingValue
  constructor(name: SettingName, theirs: SettingValue) {
    super(`Somebody set this to ${settingText(name, theirs)} meanwhile.`)
    this.theirs = theirs
  }
}

interface Problem {
  readonly text: string
  /** The value that was saved elsewhere meanwhile; saving again overwrites it. */
  readonly theirs?: SettingValue
}

/** Saves one field, and says whether it is saved. */
export function useSetting(name: SettingName, settings: PaymentSettings) {
  const [sent, setSent] = useState<SettingValue>()
  const [saved, setSaved] = useState<{ at: number; note: string | undefined }>()
  const [problem, setProblem] = useState<Problem>()
  const saving = useAction(
    async (change: Change, onSaved?: () => void) => {
      setSent(change.value)
      setSaved(undefined)
      setProblem(undefined)
      const after = await saveSetting(name, change, settings)
      toast('Success', 'Settings updated successfully')
      await mutate(settingsKey, after, { revalidate: false })
      for (const key of [settingsKey, pricingKey, productsKey]) void mutate(key)
      setSaved({ at: Date.now(), note: name === 'currentStock' ? soldNote(change, after) : undefined })
      onSaved?.()
    },
    (error) => {
      const text = `Failed to update payment settings. ${sayError(error)}`
      setProblem(error instanceof SetElsewhere ? { text, theirs: error.theirs } : { text })
    },
  )
  /** What is being saved, else what the shop has. */
  const value = saving.isBusy ? sent : settings[name]
  return { save: saving.run, isBusy: saving.isBusy, value, saved, problem, setProblem }
}

async function saveSetting(name: SettingName, change: Change, settings: PaymentSettings): Promise<PaymentSettings> {
  const { value, seen, key } = change
  // The shop applies the difference: what is sold meanwhile stays sold.
  if (name === 'currentStock') {
    const stock = { currentStock: Number(value), currentStockSeen: Number(seen) }
    return changeSettings(stock, { 'Idempotency-Key': key })
  }
  const save = async (now: PaymentSettings) => {
    if (now[name] !== seen) throw new SetElsewhere(name, now[name])
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

function soldNote({ value, seen }: Change, settings: PaymentSettings): string | undefined {
  const between = Number(value) - settings.currentStock
  if (between === 0) return undefined
  const added = Number(value) - Number(seen)
  const step = `${added > 0 ? 'Added' : 'Took away'} ${Math.abs(added).toLocaleString('en-US')}M`
  const meanwhile = `${Math.abs(between).toLocaleString('en-US')}M ${between > 0 ? 'were sold' : 'came back'} meanwhile`
  return `${step}; ${meanwhile}.`
}
