import type { ComponentProps, ReactNode } from 'react'
import { useEffect, useId, useRef } from 'react'

export const inputStyle =
  'w-full rounded-control border border-edge bg-surface px-3.5 text-ink placeholder:text-muted aria-invalid:border-red aria-invalid:border-2'

export interface FieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  id: string
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  /** Shown inside the field, after the typed text. */
  unit?: string
  inputClassName?: string
}

export function Field({ id, label, hint, error, unit, inputClassName, className = '', ...input }: FieldProps) {
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`].join(' ').trim()
  return (
    <div className={`grid gap-1.5 ${className}`}>
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      <FieldError id={id} error={error} />
      <div className="relative">
        <input
          {...input}
          id={id}
          aria-describedby={described === '' ? undefined : described}
          aria-invalid={error !== undefined || undefined}
          className={`${inputStyle} ${inputClassName ?? 'min-h-11'} ${unit === undefined ? '' : 'pr-12'}`}
        />
        {unit !== undefined && (
          <span
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 right-4 grid place-items-center text-muted"
          >
            {unit}
          </span>
        )}
      </div>
    </div>
  )
}

/** A checkbox or radio button with its label. Like `Select`, sized for the dense staff screens. */
export function Check({ children, className = '', type = 'checkbox', ...input }: ComponentProps<'input'>) {
  return (
    <label className={`flex min-h-9 items-center gap-2 ${className}`}>
      <input {...input} type={type} className="size-4.5 flex-none" />
      {children}
    </label>
  )
}

export interface ChoiceProps {
  name: string
  legend: string
  /** Labels by value. */
  options: Readonly<Record<string, string>>
  error: string | undefined
  onChange?: (value: string) => void
}

/** A question with one of several answers, none of them chosen beforehand. */
export function Choice({ name, legend, options, error, onChange }: ChoiceProps) {
  const id = useId()
  return (
    <fieldset className="grid gap-1.5" aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend className="font-semibold">{legend}</legend>
      <FieldError id={id} error={error} />
      {Object.entries(options).map(([value, label]) => (
        <Check key={value} type="radio" name={name} value={value} onChange={() => onChange?.(value)}>
          {label}
        </Check>
      ))}
    </fieldset>
  )
}

interface SelectProps extends ComponentProps<'select'> {
  label: string
  /** Only screen readers get the label, if the options say what they are about. */
  isLabelHidden?: boolean
  /** Labels by value. */
  options: Readonly<Record<string, string>>
}

export function Select({ label, isLabelHidden = false, options, className = '', ...select }: SelectProps) {
  const id = useId()
  return (
    <div className={`grid min-w-0 gap-1 ${className}`}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'font-semibold'}>
        {label}
      </label>
      <select
        {...select}
        id={id}
        className="min-h-9 w-full rounded-control border border-edge bg-surface px-2.5 max-sm:px-1"
      >
        {Object.entries(options).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}

export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  if (error === undefined) return null
  return (
    <p id={`${id}-error`} className="text-sm font-medium text-red">
      <span className="sr-only">Error: </span>
      {error}
    </p>
  )
}

export interface FieldProblem {
  /** The id of the control with this problem. */
  readonly field: string
  readonly message: string
}

/**
 * Appears above the heading when Continue is refused, and takes the focus. Each refusal increments `attempt`, so that
 * screen readers repeat the same message.
 */
export function ErrorSummary({ problems, attempt }: { problems: readonly FieldProblem[]; attempt: number }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (attempt > 0) box.current?.focus()
  }, [attempt])
  if (problems.length === 0) return null
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      className="mb-6 grid gap-2 rounded-surface border-2 border-red bg-red-soft p-4 sm:p-5"
      aria-labelledby="error-summary-heading"
    >
      <h2 id="error-summary-heading" className="text-lg">
        There is a problem
      </h2>
      <ul className="grid gap-1">
        {problems.map(({ field, message }) => (
          <li key={field}>
            <a
              href={`#${field}`}
              className="font-medium text-red underline underline-offset-3"
              onClick={(event) => {
                event.preventDefault()
                document.getElementById(field)?.focus()
              }}
            >
              {message}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

export function messageFor(problems: readonly FieldProblem[], field: string): string | undefined {
  return problems.find((problem) => problem.field === field)?.message
}
