import type { Order } from '#contract/order.ts'
import pLimit from 'p-limit'
import { type ReactNode, useState } from 'react'
import { refreshStaff } from '../../api/admin.ts'
import { sayError } from '../../api/client.ts'
import { isLoggedOut } from '../../api/staff-session.ts'
import { Button } from '../../components/ui/button.tsx'
import { ConfirmDialog } from '../../components/ui/confirm-dialog.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { Grouped } from '../../components/ui/grouped.tsx'
import { count, millions } from '../../lib/format.ts'

const CALLS_AT_ONCE_MAX = 4

export type OrderChosen = Pick<Order, 'id' | 'orderNumber' | 'discordUsername' | 'pokecoinAmount'>
type Call = (order: OrderChosen) => Promise<void>

export interface Failed {
  readonly of: OrderChosen
  readonly error: unknown
}

interface EachDialogProps {
  orders: readonly OrderChosen[]
  title: string
  action: string
  kind: 'primary' | 'danger'
  /** The verb of the progress and of the report: `Deleting` and `deleted`, for example. */
  doing: string
  did: string
  call: Call
  /** After each run over the orders, with those of it that succeeded and failed. */
  onEnd: (done: readonly OrderChosen[], failed: readonly Failed[]) => void
  reportTitle: string
  /** Before the number of an order that failed. */
  failure?: string
  /** Choices for an order that failed, in place of the error's sentence. */
  choicesFor?: (failed: Failed) => { text: string; choices: readonly Choice[] } | undefined
  onClose: () => void
  children: ReactNode
}

interface Choice {
  readonly name: ReactNode
  readonly call: Call
}

/** Asks once for all orders, does it for each, then lists those for which it failed. */
export function EachDialog({ orders, call, onEnd, choicesFor, onClose, children, ...words }: EachDialogProps) {
  // The list behind the dialog changes while it works.
  const [chosen] = useState(orders)
  const [done, setDone] = useState<number>()
  const [failed, setFailed] = useState<readonly Failed[]>([])
  const isBusy = done !== undefined

  const run = async (these: readonly OrderChosen[], call: Call) => {
    setDone(0)
    const failures = await callEach(these, call, () => setDone((now = 0) => now + 1))
    setDone(undefined)
    refreshStaff()
    if (isLoggedOut()) return
    const left = [...failed.filter(({ of }) => !these.includes(of)), ...failures]
    setFailed(left)
    const failedNow = new Set(failures.map(({ of }) => of))
    onEnd(
      these.filter((one) => !failedNow.has(one)),
      failures,
    )
    if (left.length === 0) onClose()
  }

  if (failed.length === 0) {
    const progress = chosen.length === 1 ? '' : ` ${count(done ?? 0)} of ${count(chosen.length)}`
    return (
      <ConfirmDialog
        title={words.title}
        action={words.action}
        kind={words.kind}
        pending={isBusy && `${words.doing}${progress}...`}
        onConfirm={() => void run(chosen, call)}
        onClose={onClose}
      >
        {children}
      </ConfirmDialog>
    )
  }
  return (
    <Dialog title={words.reportTitle} onClose={onClose} width="2xl">
      <div className="grid gap-4 text-sm">
        <p role="status">
          {count(chosen.length - failed.length)} {words.did}, {count(failed.length)} not:
        </p>
        <ul className="divide-y divide-line rounded-surface border border-line bg-surface">
          {failed.map((failure) => {
            const { text, choices } = choicesFor?.(failure) ?? { text: sayError(failure.error), choices: [] }
            return (
              <li key={failure.of.id} className="grid gap-2 px-4 py-3">
                <span className="flex flex-wrap items-baseline gap-x-3">
                  <strong>
                    {words.failure} <Grouped text={failure.of.orderNumber} />
                  </strong>
                  {text}
                </span>
                <span className="flex flex-wrap gap-2 empty:hidden">
                  {choices.map((choice, index) => (
                    <Button
                      key={index}
                      size="small"
                      disabled={isBusy}
                      onClick={() => void run([failure.of], choice.call)}
                    >
                      {choice.name}
                    </Button>
                  ))}
                </span>
              </li>
            )
          })}
        </ul>
        <div className="flex justify-end">
          <Button size="small" kind="ink" disabled={isBusy} onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

/** A few at once; a failure does not stop the others. Answers the failures. */
async function callEach(orders: readonly OrderChosen[], call: Call, onCalled: () => void): Promise<Failed[]> {
  const atOnce = pLimit(CALLS_AT_ONCE_MAX)
  const results = await Promise.allSettled(orders.map(async (one) => atOnce(call, one).finally(onCalled)))
  return orders.flatMap((of, index) => {
    const result = results[index]
    return result?.status === 'rejected' ? [{ of, error: result.reason as unknown }] : []
  })
}

/** The orders that a confirmation is about. */
export function OrderSummaryList({ orders }: { orders: readonly OrderChosen[] }) {
  return (
    <ul
      aria-label="Orders"
      className="max-h-[40vh] divide-y divide-line overflow-y-auto rounded-surface border border-line bg-surface"
      // What can be scrolled can be reached by keyboard.
      tabIndex={0}
    >
      {orders.map(({ id, orderNumber, discordUsername, pokecoinAmount }) => (
        <li key={id} className="flex flex-wrap items-baseline gap-x-3 px-3 py-2">
          <Grouped text={orderNumber} className="font-semibold" />
          <span className="min-w-0 flex-1 wrap-anywhere">{discordUsername}</span>
          <span className="tabular">{millions(pokecoinAmount)}</span>
        </li>
      ))}
    </ul>
  )
}
