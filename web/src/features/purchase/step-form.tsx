import { type ReactNode, useRef, useState } from 'react'
import { ActionBar, BackLink, PageHeading } from '../../components/layout/page.tsx'
import { StepLine, stepTitles, useEnter } from '../../components/layout/steps.tsx'
import { Button, ButtonLink } from '../../components/ui/button.tsx'
import { ErrorSummary, type FieldProblem } from '../../components/ui/field.tsx'
import type { Draft } from './draft.ts'

interface StepFormProps {
  step: 1 | 2 | 3
  heading: string
  backTo: string
  /** The problems of the present answers. */
  problems: readonly FieldProblem[]
  onContinue: () => void
  onRefused?: () => void
  pending?: string | false
  isLoading?: boolean
  /** The buyer cannot continue: there is no button. */
  isClosed?: boolean
  /** The text of the primary button. */
  label?: string
  /** On phones, the summary above the button. */
  bar: ReactNode
  /** Shown beside the heading. */
  aside?: ReactNode
  children: (problems: readonly FieldProblem[]) => ReactNode
}

/** The properties of each question. */
export interface QuestionProps {
  draft: Draft
  problems: readonly FieldProblem[]
}

interface Refused {
  /** The fields that were wrong at the last Continue. */
  readonly fields: readonly string[]
  readonly attempt: number
}

/** One question of the wizard. Continue, or Enter anywhere, checks the answers. */
export function StepForm(props: StepFormProps) {
  const { step, heading, backTo, onContinue, onRefused, pending = false, label = 'Continue', bar, children } = props
  const [{ fields, attempt }, setRefused] = useState<Refused>({ fields: [], attempt: 0 })
  // A refused field shows the problem of its present value; other fields are checked on the next Continue.
  const problems = props.problems.filter(({ field }) => fields.includes(field))
  const form = useRef<HTMLFormElement>(null)
  const { isClosed = false } = props
  useEnter(props.problems.length === 0 && !isClosed ? () => form.current?.requestSubmit() : undefined)
  const title = `Step ${step} of 6: ${stepTitles[step - 1]}`
  return (
    <form
      ref={form}
      noValidate
      // Until the scripts have loaded, the browser would send it.
      method="dialog"
      className="grid content-start gap-4 sm:gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        if (pending !== false || props.isLoading === true || isClosed) return
        setRefused({ fields: props.problems.map(({ field }) => field), attempt: attempt + 1 })
        if (props.problems.length === 0) onContinue()
        else onRefused?.()
      }}
    >
      <StepLine step={step}>
        <BackLink to={backTo} />
      </StepLine>
      <div>
        <ErrorSummary problems={problems} attempt={attempt} />
        <div className="flex flex-wrap items-start justify-between gap-4">
          <PageHeading title={problems.length > 0 ? `Error: ${title}` : title}>{heading}</PageHeading>
          {props.aside}
        </div>
      </div>
      {children(problems)}
      <ActionBar>
        {!isClosed && bar}
        {isClosed ? (
          <ButtonLink to="/" size="large" className="w-full lg:w-60">
            Back to Home
          </ButtonLink>
        ) : (
          <Button
            type="submit"
            kind="primary"
            size="large"
            className="w-full lg:w-60"
            pending={pending}
            disabled={props.isLoading}
          >
            {label}
          </Button>
        )}
      </ActionBar>
    </form>
  )
}
