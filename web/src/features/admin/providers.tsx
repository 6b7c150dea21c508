import type { ProviderState } from '#contract/provider.ts'
import { CloudOff } from 'lucide-react'
import { useProviders } from '../../api/admin.ts'
import { type Column, Table } from '../../components/ui/table.tsx'
import { Time } from '../../components/ui/time.tsx'
import { count } from '../../lib/format.ts'
import { providerName } from './provider-words.ts'

const COUNTED_MAX = 10_000

type Row = ProviderState & { readonly id: string }

const columns: readonly Column<Row>[] = [
  {
    name: 'Answers',
    cell: ({ awaySince }) =>
      awaySince === null ? (
        'yes'
      ) : (
        <>
          not since <Time iso={awaySince} />
        </>
      ),
  },
  {
    name: 'Orders asked about',
    className: 'text-right',
    cellClassName: 'tabular',
    cell: ({ polled }) => asked(polled),
  },
  {
    name: 'Failed calls, last minute',
    className: 'text-right',
    cellClassName: 'tabular',
    cell: ({ failing }) => count(failing),
  },
  {
    name: 'Last webhook',
    cellClassName: 'tabular',
    cell: ({ lastWebhookAt: at }) => (at === null ? 'none yet' : <Time iso={at} />),
  },
]
const named: Column<Row> = { name: 'Provider', cell: ({ provider }) => <strong>{providerName(provider)}</strong> }

function asked(polled: number | null): string {
  if (polled === null) return 'being counted'
  return polled < COUNTED_MAX ? count(polled) : `${count(polled)}+`
}

/** How it is with each provider of a live shop. Renders nothing in the sandbox. */
export function Providers() {
  const { data } = useProviders()
  if (data === undefined || data.providers.length === 0) return null
  const rows = data.providers.map((state) => ({ ...state, id: state.provider }))
  return (
    <section aria-labelledby="providers-heading" className="rounded-surface border border-line bg-surface pt-4">
      <h3 id="providers-heading" className="px-4 pb-2 text-base">
        Payment Providers
      </h3>
      <div className="relative overflow-x-auto rounded-b-surface">
        <Table
          columns={[named, ...columns]}
          rows={rows}
          className="whitespace-nowrap [&_td]:px-3 [&_td]:first:pl-4 [&_td]:last:pr-4 [&_th]:px-3 [&_th]:first:pl-4 [&_th]:last:pr-4"
        />
      </div>
    </section>
  )
}

/** Above every tab while a provider does not answer; goes by itself. */
export function ProvidersAway() {
  const { data } = useProviders()
  const away = data?.providers.filter(({ awaySince }) => awaySince !== null) ?? []
  return (
    <div role="status" className="grid gap-3 empty:hidden">
      {away.map(({ provider, awaySince, reason }) => (
        <p
          key={provider}
          className="flex items-start gap-2 rounded-surface border border-amber-edge bg-amber-soft px-3 py-2 sm:px-4"
        >
          <CloudOff aria-hidden="true" className="mt-0.5 size-5 flex-none" />
          <span className="min-w-0 wrap-anywhere">
            <strong>
              {providerName(provider)} has not answered since {awaySince !== null && <Time iso={awaySince} />}.
            </strong>{' '}
            {reason !== null && <>The last call: {reason}. </>}
            The shop asks again by itself; nothing that was paid is lost.
          </span>
        </p>
      ))}
    </div>
  )
}
