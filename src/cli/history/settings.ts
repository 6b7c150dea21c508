import { type SettingChange, settingsFold } from '../../history/settings-changes.ts'
import { flag, ofAnyOptions } from '../command-line.ts'
import { asOf, codes, foldedTo, momentOf, reachedFacts, reachedLine, withLog } from './reading.ts'
import { count, tableOf } from './table.ts'

export const settings = ofAnyOptions({
  name: 'history settings',
  does: 'prices, packs and switches, or who changed them',
  options: {
    'as-of': asOf,
    changes: flag(
      'who changed what, from what to what, when, and how many orders were placed until any setting changed again',
    ),
    json: flag('for programs'),
  },
  notes: codes,
  run: async ({ 'as-of': given, changes, json }) =>
    withLog(async (reading) => {
      const fold = settingsFold()
      const reached = await foldedTo(reading, await momentOf(reading, given), [fold])
      const facts = changes ? { changes: fold.changes() } : { settings: fold.now() ?? null }
      if (json) await reading.say(`${JSON.stringify({ asOf: reachedFacts(reached), ...facts }, undefined, 2)}\n`)
      else {
        const values = Object.entries(fold.now() ?? {})
        const table = changes ? tableOf(changeColumns, fold.changes()) : tableOf(valueColumns, values)
        await reading.say(`${reachedLine(reached)}\n\n${table}`)
      }
      return 0
    }),
})

type Entry = readonly [setting: string, value: unknown]

const valueColumns = [
  { title: 'setting', of: ([setting]: Entry) => setting },
  { title: 'value', of: ([, value]: Entry) => String(value), isNumber: true },
]

export const changeColumns = [
  { title: 'when', of: ({ at }: SettingChange) => at },
  { title: 'who', of: ({ adminId }: SettingChange) => adminId ?? 'the shop' },
  { title: 'setting', of: ({ setting }: SettingChange) => setting },
  { title: 'from', of: ({ from }: SettingChange) => String(from ?? '-'), isNumber: true },
  { title: 'to', of: ({ to }: SettingChange) => String(to ?? '-'), isNumber: true },
  { title: 'orders until any change', of: ({ orders }: SettingChange) => count(orders), isNumber: true },
]
