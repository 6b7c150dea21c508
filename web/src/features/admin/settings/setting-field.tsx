import { plainText, trimmed } from '#contract/typed-text.ts'
import type { PaymentSettings } from '#contract/settings.ts'
import TriangleAlert from 'lucide:triangle-alert'
import { type ReactNode, useState } from 'react'
import { useUnsent } from '../../../api/staff-session.ts'
import { Spinner } from '../../../components/ui/button.tsx'
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx'
import { inputStyle } from '../../../components/ui/field.tsx'
import { randomKey } from '../../../lib/random-key.ts'
import { largePriceChange } from './price-change.ts'
import {
  type FieldName,
  fields,
  numberText,
  settingLabel,
  settingText,
  type SwitchName,
  type Unit,
} from './setting-fields.ts'
import { useSetting } from './use-setting.ts'

interface Edit {
  readonly text: string
  readonly seen: number | string
  readonly key: string
}

interface SettingFieldProps {
  name: FieldName
  /** Shown while a text is empty. */
  placeholder?: string | undefined
  /** Row and column headings show the label, so it is for screen readers only. */
  isLabelHidden?: boolean
  settings: PaymentSettings
}

/** Saves on blur and on Enter. Escape restores the saved value. */
export function SettingField({ name, placeholder, isLabelHidden = false, settings }: SettingFieldProps) {
  const { label, unit, hint } = fields[name]
  const [edit, setEdit] = useUnsent<Edit>(`setting ${name}`)
  const setting = useSetting(name, settings)
  const { problem, setProblem } = setting
  const [asked, setAsked] = useState<string>()
  const saved = settings[name] ?? ''

  const change = (next: Edit | undefined) => {
    setProblem(undefined)
    setEdit(next)
  }
  const save = (isConfirmed = false) => {
    if (edit === undefined || setting.isBusy) return
    const value = unit === undefined ? trimmed(edit.text) : numberIn(edit.text)
    if (Number.isNaN(value)) return setProblem('Enter a number.')
    // After the message about the other value, staff may overwrite it.
    const seen = problem === undefined ? edit.seen : saved
    if (value === seen) return change(undefined)
    const moves = isConfirmed ? undefined : largePriceChange(settings, { ...settings, [name]: value })
    setAsked(moves)
    if (moves !== undefined) return
    // Keeps text typed during the save.
    setting.save({ value, seen, key: edit.key }, () => setEdit((now) => (now?.key === edit.key ? undefined : now)))
  }
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={name} className={isLabelHidden ? 'sr-only' : 'font-medium'}>
        {label}
      </label>
      <div className={`relative ${unit ? 'max-w-48' : ''}`}>
        <input
          id={name}
          type="text"
          inputMode={unit === undefined ? 'text' : unit === '$' ? 'decimal' : 'numeric'}
          placeholder={placeholder}
          autoComplete="off"
          className={`${inputStyle} min-h-9 ${unit ? `tabular-nums text-right ${unit === '$' ? 'pl-[2em]' : 'pr-[2.6em]'}` : ''}`}
          aria-describedby={`${name}-state`}
          aria-invalid={problem !== undefined || undefined}
          value={edit?.text ?? (typeof saved === 'string' ? saved : numberText(saved, unit))}
          onChange={({ currentTarget: { value: text } }) =>
            change({ text, seen: edit?.seen ?? saved, key: randomKey() })
          }
          onBlur={() => afterPress(save)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') change(undefined)
            if (event.key !== 'Enter') return
            // Otherwise the same key press would press the first button of the dialog that it opens.
            event.preventDefault()
            save()
          }}
        />
        {unit !== undefined && <UnitSign unit={unit} />}
      </div>
      {asked !== undefined && (
        <ConfirmDialog
          title={`Set ${label} to ${edit?.text}?`}
          action="Change"
          kind="primary"
          pending={false}
          onConfirm={() => save(true)}
          onClose={() => {
            setAsked(undefined)
            change(undefined)
          }}
        >
          <p>{asked} This changes a price by more than half. Orders that were placed keep theirs.</p>
        </ConfirmDialog>
      )}
      <div id={`${name}-state`} className="min-h-5 text-muted">
        {name === 'currentStock' && edit !== undefined && edit.seen !== settings[name] && (
          <p>Now {settingText(name, settings[name])}. Your difference is what will be applied.</p>
        )}
        <SaveState {...setting} hint={hint} />
      </div>
    </div>
  )
}

function numberIn(typed: string): number {
  const text = plainText(typed)
  return text === '' ? Number.NaN : Number(text)
}

function UnitSign({ unit }: { unit: Unit }) {
  const side = unit === '$' ? 'left-3' : 'right-3.5'
  return (
    <span
      aria-hidden="true"
      className={`pointer-events-none absolute inset-y-0 z-1 grid place-items-center text-muted ${side}`}
    >
      {unit}
    </span>
  )
}

type Saving = Pick<ReturnType<typeof useSetting>, 'isBusy' | 'problem'>

export function SaveState({ isBusy, problem, hint }: Saving & { hint?: ReactNode }) {
  if (isBusy)
    return (
      <p className="flex items-center gap-1.5 [&>svg]:size-4">
        <Spinner />
        Saving...
      </p>
    )
  if (problem !== undefined)
    return (
      <p role="alert" className="flex items-start gap-1.5 font-medium text-red">
        <TriangleAlert className="mt-0.5 size-4 flex-none" />
        <span>{problem}</span>
      </p>
    )
  return hint
}

interface SwitchFieldProps {
  name: SwitchName
  hint?: string
  /** Shown in addition to other messages. */
  warning?: string | undefined
  settings: PaymentSettings
}

/** Saves when switched. */
export function SwitchField({ name, hint, warning, settings }: SwitchFieldProps) {
  const setting = useSetting(name, settings)
  const isOn = setting.value === true
  return (
    <div className="grid content-start gap-1">
      <label className="flex min-h-9 items-center gap-3">
        <input
          type="checkbox"
          role="switch"
          id={name}
          className="relative h-6 w-11 flex-none cursor-pointer appearance-none rounded-full border border-edge bg-sunk transition-colors after:absolute after:top-0.75 after:left-0.75 after:size-4 after:rounded-full after:bg-edge after:transition-transform checked:border-green checked:bg-green checked:after:translate-x-5 checked:after:bg-paper"
          aria-describedby={`${name}-state`}
          checked={isOn}
          onChange={() => setting.save({ value: !settings[name], seen: settings[name], key: randomKey() })}
        />
        <span>
          <span className="font-medium">{settingLabel(name)}</span>
          <span className="text-muted"> {isOn ? 'on' : 'off'}</span>
        </span>
      </label>
      <div id={`${name}-state`} className="min-h-5 text-muted">
        {warning !== undefined && (
          <p className="flex items-start gap-1.5 text-ink">
            <TriangleAlert className="mt-0.5 size-4 flex-none text-amber-edge" />
            <span>{warning}</span>
          </p>
        )}
        <SaveState {...setting} hint={hint} />
      </div>
    </div>
  )
}

const CHECK_EVERY_MS = 50

/** Acts once no pointer is pressed, since a layout shift during a press makes the click miss its target. */
function afterPress(act: () => void): void {
  setTimeout(() => (document.querySelector(':active') === null ? act() : afterPress(act)), CHECK_EVERY_MS)
}
