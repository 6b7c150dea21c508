import { endSessions, useStaffSessions } from '../../../api/admin.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Time } from '../../../components/ui/timeline.tsx'
import { TitledCard } from '../../../components/ui/titled-card.tsx'
import { useAction } from '../../../components/ui/use-action.ts'

/** Where the owner is logged in. */
export function Sessions() {
  const sessions = useStaffSessions().data?.sessions ?? []
  const end = useAction(endSessions, 'Error')
  const others = sessions.filter(({ isThis }) => !isThis).map(({ id }) => id)
  return (
    <TitledCard title="Sessions" id="sessions">
      <p className="text-muted">Where you are logged in. End what you do not know, and change the password.</p>
      <ul className="divide-y divide-line">
        {sessions.map(({ id, browser, network, firstSeen, lastSeen, isThis }) => (
          <li key={id} className="flex items-center justify-between gap-3 py-2">
            <p className="wrap-anywhere">
              {browser ?? 'Unknown browser'}
              {isThis && ', this session'}
              <span className="block text-muted tabular-nums">
                {network !== null && `${network}, `}since <Time iso={firstSeen} />, last seen <Time iso={lastSeen} />
              </span>
            </p>
            {!isThis && (
              <Button size="small" onClick={() => end.run([id])}>
                End<span className="sr-only"> {browser ?? 'the unknown browser'}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <Button size="small" className="justify-self-start" onClick={() => end.run(others)}>
          End all others
        </Button>
      )}
    </TitledCard>
  )
}
