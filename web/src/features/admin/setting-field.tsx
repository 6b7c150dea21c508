import type { PaymentSettings } from '#contract/settings.ts'
import { Check, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Button, Spinner } from '../../components/ui/button.tsx'
import { inputStyle } from '../../components/ui/field.tsx'
import { randomKey } from '../../lib/random-key.ts'
import { failureOf, saveSetting } from './save-setting.ts'
import type { NumberName, NumberRule, SwitchName } from './setting-drafts.ts'
import { type FieldState, textOf, useNumberSetting } from './use-number-setting.ts'
import { timeOfDay } from './words.ts'

interface NumberFieldProps {
  name: NumberName
  label: string
  /** For screen readers only, where row and column headings show it. */
  isLabelHidden?: boolean
  unit: 'M' | '%' | '$'
  hint?: string
  rule: NumberRule
  settings: PaymentSettings
}

export function NumberField({ name, label, isLabelHidden = false, unit, hint, rule, settings }: NumberFieldProps) {
  const { text, state, type, save, restore, useMine, movedTo } = useNumberSetting(name, settings, rule)
  const show = (value: number) => (unit === '$' ? `$${textOf(value, rule)}` : `${textOf(value, rule)}${unit}`)
  const isWrong = state.is === 'invalid' || state.is === 'not-saved' || state.is === 'conflict'
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={name} className={isLabelHidden ? 'sr-only' : 'font-medium'}>
        {label}
      </label>
      <div className="relative max-w-48">
        {unit === '$' && <Unit side="left-3">$</Unit>}
        <input
          id={name}
          type="text"
          inputMode={rule.decimals === 0 ? 'numeric' : 'decimal'}
          autoComplete="off"
          className={`${inputStyle} tabular min-h-9 text-right ${unit === '$' ? 'pl-[2em]' : 'pr-[2.6em]'}`}
          aria-describedby={`${name}-state`}
          aria-invalid={isWrong || undefined}
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
          onBlur={save}
          onKeyDown={(event) => {
            if (event.key === 'Enter') save()
            if (event.key === 'Escape') restore()
          }}
        />
        {unit !== '$' && <Unit side="right-3.5">{unit}</Unit>}
      </div>
      <div id={`${name}-state`} className="min-h-5 text-muted">
        {state.is === 'idle' && movedTo === undefined ? hint : undefined}
        {movedTo !== undefined && (state.is === 'idle' || state.is === 'not-saved') && (
          <p>
            Now {show(movedTo)}.{name === 'currentStock' && ' Your difference is what will be applied.'}
          </p>
        )}
        <State state={state} onRetry={save} />
      </div>
      {state.is === 'conflict' && (
        <div role="alert" className="grid gap-2 rounded-control border border-amber-edge bg-amber-soft p-3">
          <p>
            Somebody else has set this to <strong>{show(state.theirs)}</strong>. You typed <strong>{text}</strong>.
          </p>
          <p className="flex flex-wrap gap-2">
            <Button size="small" onClick={restore}>
              Keep theirs<span className="sr-only">: {label}</span>
            </Button>
            <Button size="small" kind="ink" onClick={useMine}>
              Use mine<span className="sr-only">: {label}</span>
            </Button>
          </p>
        </div>
      )}
    </div>
  )
}

function Unit({ side, children }: { side: string; children: string }) {
  return (
    <span
      aria-hidden="true"
      className={`pointer-events-none absolute inset-y-0 z-1 grid place-items-center text-muted ${side}`}
    >
      {children}
    </span>
  )
}

export function State({ state, onRetry }: { state: FieldState; onRetry: () => void }) {
  switch (state.is) {
    case 'idle':
    case 'conflict':
      return null
    case 'saving':
      return (
        <p className="flex items-center gap-1.5 [&>svg]:size-4">
          <Spinner />
          Saving...
        </p>
      )
    case 'saved':
      return (
        <p className="flex flex-wrap items-center gap-x-1.5 text-green">
          <Check aria-hidden="true" className="size-4" />
          Saved {timeOfDay(state.at)}
          {state.note !== undefined && <span className="text-ink">{state.note}</span>}
        </p>
      )
    case 'invalid':
    case 'not-saved':
      return (
        <div role="alert" className="grid justify-items-start gap-1">
          <p className="flex items-start gap-1.5 font-medium text-red">
            <TriangleAlert aria-hidden="true" className="mt-0.5 size-4" />
            <span>{state.is === 'invalid' ? state.problem : state.message}</span>
          </p>
          {state.is === 'not-saved' && (
            <Button size="small" onClick={onRetry}>
              Retry
            </Button>
          )}
        </div>
      )
  }
}

export type SwitchState = Extract<FieldState, { is: 'idle' | 'saving' | 'saved' | 'not-saved' }>

/** Saves as soon as it is switched. */
export function SwitchField({
  name,
  label,
  hint,
  isWarning = false,
  settings,
}: {
  name: SwitchName
  label: string
  hint?: string | undefined
  /** The hint is a warning, and stays beside other messages. */
  isWarning?: boolean
  settings: PaymentSettings
}) {
  const [state, setState] = useState<SwitchState>({ is: 'idle' })
  const [wanted, setWanted] = useState<boolean>()
  const isOn = wanted ?? settings[name]
  const save = async (value: boolean) => {
    if (state.is === 'saving') return
    setWanted(value)
    setState({ is: 'saving' })
    const seen = settings[name]
    try {
      const change = { name, value, seen, seenRevision: settings.revision, editKey: randomKey() }
      await saveSetting(change, () => settings)
      setState({ is: 'saved', at: Date.now() })
    } catch (error) {
      setState({ is: 'not-saved', message: failureOf(error) })
    }
    setWanted(undefined)
  }
  return (
    <div className="grid content-start gap-1">
      <label className="flex min-h-9 items-center gap-3">
        <span className="relative flex-none">
          <input
            type="checkbox"
            role="switch"
            id={name}
            className="peer absolute inset-0 z-1 cursor-pointer opacity-0"
            aria-describedby={`${name}-state`}
            checked={isOn}
            onChange={(event) => void save(event.currentTarget.checked)}
          />
          <span
            aria-hidden="true"
            className="relative block h-6 w-11 rounded-full border border-edge bg-sunk transition-colors peer-checked:border-green peer-checked:bg-green peer-focus-visible:outline-3 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-blue after:absolute after:top-0.75 after:left-0.75 after:size-4 after:rounded-full after:bg-edge after:transition-transform peer-checked:after:translate-x-5 peer-checked:after:bg-paper"
          />
        </span>
        <span>
          <span className="font-medium">{label}</span>
          <span className="text-muted"> {isOn ? 'on' : 'off'}</span>
        </span>
      </label>
      <div id={`${name}-state`} className="min-h-5 text-muted">
        {isWarning && hint !== undefined && (
          <p className="flex items-start gap-1.5 text-ink">
            <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 flex-none text-amber-edge" />
            <span>{hint}</span>
          </p>
        )}
        {!isWarning && state.is === 'idle' ? hint : undefined}
        <State state={state} onRetry={() => void save(!settings[name])} />
      </div>
    </div>
  )
}
