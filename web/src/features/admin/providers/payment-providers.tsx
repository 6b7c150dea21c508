import type { ProviderState } from '#contract/provider.ts'
import CircleCheck from 'lucide:circle-check'
import CircleQuestionMark from 'lucide:circle-question-mark'
import TriangleAlert from 'lucide:triangle-alert'
import { checkProviderKeys, useProviders } from '../../../api/admin.ts'
import { Button } from '../../../components/ui/button.tsx'
import { CopyButton } from '../../../components/ui/copy-button.tsx'
import { Notice } from '../../../components/ui/notice.tsx'
import { Time } from '../../../components/ui/timeline.tsx'
import { useAction } from '../../../components/ui/use-action.ts'
import { methodNames } from '../../../method-words.ts'
import { TitledCard } from '../../../components/ui/titled-card.tsx'
import { providerName } from '../shared/provider-names.ts'

/** Each provider's health, keys and webhook address. Renders nothing in the sandbox. */
export function PaymentProviders() {
  const { data } = useProviders()
  if (data === undefined || data.providers.length === 0) return null
  return (
    <TitledCard title="Payment providers" id="providers">
      <ul className="grid gap-5">
        {data.providers.map((state) => (
          <li key={state.provider}>
            <Provider state={state} />
          </li>
        ))}
      </ul>
    </TitledCard>
  )
}

function Provider({ state }: { state: ProviderState }) {
  const { provider, methods, awaySince, webhookAddress, lastWebhookAt, refusedWebhookAt, canCheckKeys } = state
  const name = providerName(provider)
  const check = useAction(async () => checkProviderKeys(provider), `${name} was not asked`)
  // Strangers can send webhooks, so a refused one matters only if none was accepted since.
  const isRefused = refusedWebhookAt !== null && (lastWebhookAt === null || refusedWebhookAt > lastWebhookAt)
  return (
    <section aria-label={name} className="grid grid-cols-[minmax(0,1fr)] content-start gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h4 className="font-semibold">
          {name}{' '}
          <span className="font-normal text-muted">for {methods.map((method) => methodNames[method]).join(', ')}</span>
        </h4>
        {canCheckKeys && (
          <Button
            size="small"
            pending={check.isBusy && 'Asking...'}
            onClick={check.run}
            aria-label={`Check keys of ${name}`}
          >
            Check keys
          </Button>
        )}
      </div>
      <KeysLine state={state} />
      <p className="text-muted">
        {awaySince === null ? (
          'It answers. '
        ) : (
          <>
            It has not answered since <Time iso={awaySince} />.{' '}
          </>
        )}
        {lastWebhookAt === null ? (
          'No webhook has come yet.'
        ) : (
          <>
            Last webhook: <Time iso={lastWebhookAt} />.
          </>
        )}
        {isRefused && (
          <span className="text-ink">
            {' '}
            One was refused since, at <Time iso={refusedWebhookAt} />: if it was the provider’s, the secret or id for
            webhooks is wrong.
          </span>
        )}
      </p>
      <div className="grid gap-1">
        <span className="text-muted">Address for webhooks</span>
        <div className="flex flex-wrap items-center gap-2">
          <code className="min-w-0 flex-1 basis-60 rounded-control border border-line bg-sunk px-2.5 py-1.5 wrap-anywhere">
            {webhookAddress}
          </code>
          <CopyButton size="small" text={webhookAddress} what={`address for webhooks of ${name}`} />
        </div>
      </div>
    </section>
  )
}

const words = {
  accepted: { icon: CircleCheck, colour: 'text-green', text: 'The keys are accepted.' },
  refused: { icon: TriangleAlert, colour: 'text-red', text: 'The keys are refused:' },
  unknown: { icon: CircleQuestionMark, colour: 'text-muted', text: 'The provider could not be asked:' },
} as const

function KeysLine({ state: { keys, canCheckKeys } }: { state: ProviderState }) {
  if (keys === null)
    return (
      <p role="status" className="text-muted">
        {canCheckKeys
          ? 'The keys were not checked yet.'
          : 'This provider has no call that tells whether the keys are right: pay a small order.'}
      </p>
    )
  const { icon: Icon, colour, text } = words[keys.are]
  return (
    <p role="status" className="flex items-start gap-2">
      <Icon className={`mt-0.5 size-4.5 flex-none ${colour}`} />
      <span className="min-w-0 wrap-anywhere">
        {text} {keys.reason !== null && <q>{keys.reason}</q>}{' '}
        <span className="text-muted">
          Asked at <Time iso={keys.checkedAt} />.
        </span>
      </span>
    </p>
  )
}

/** Shown above every tab while a provider does not respond. */
export function ProvidersAway() {
  const { data } = useProviders()
  const away = data?.providers.filter(({ awaySince }) => awaySince !== null) ?? []
  return (
    <div role="status" className="grid gap-3 empty:hidden">
      {away.map(({ provider, awaySince, reason }) => (
        <Notice key={provider} tone="wait">
          <p>
            <strong>
              {providerName(provider)} has not answered since {awaySince !== null && <Time iso={awaySince} />}.
            </strong>{' '}
            {reason !== null && <>The last call: {reason}. </>}
            The shop asks again by itself; nothing that was paid is lost.
          </p>
        </Notice>
      ))}
    </div>
  )
}
