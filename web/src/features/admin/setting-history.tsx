import type { SettingChange } from '#contract/settings.ts'
import { useState } from 'react'
import { useSettingChanges } from '../../api/admin.ts'
import { Button } from '../../components/ui/button.tsx'
import { Loaded } from '../../components/ui/loaded.tsx'
import { Time } from '../../components/ui/time.tsx'
import { TitledCard } from './titled-card.tsx'
import { settingLabel, settingText } from './setting-fields.ts'

const SHOWN = 8

export function SettingHistory() {
  const answer = useSettingChanges()
  return (
    <TitledCard title="Settings history" className="lg:col-span-2">
      <p className="text-muted">What was changed here, newest first. The stock is not in it: sales change it, too.</p>
      <Loaded
        answer={answer}
        loading="Loading the history..."
        failure="The history of the settings could not be loaded"
        empty={answer.data?.changes.length === 0 ? <p>Nothing was changed yet.</p> : undefined}
      >
        {({ changes, isWhole }) => <Changes changes={changes} isWhole={isWhole} />}
      </Loaded>
    </TitledCard>
  )
}

function Changes({ changes, isWhole }: { changes: readonly SettingChange[]; isWhole: boolean }) {
  const [showsAll, setShowsAll] = useState(false)
  const shown = showsAll ? changes : changes.slice(0, SHOWN)
  return (
    <div className="@container">
      <table className="w-full text-left stacks">
        <thead className="text-muted">
          <tr>
            {['Setting', 'From', 'To', 'Who and when'].map((name) => (
              <th key={name} scope="col" className="pb-1 pr-3 font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-t border-line">
          {shown.map(({ setting, from, to, adminId, at }) => (
            <tr key={`${at} ${setting}`}>
              <th scope="row" className="py-1.5 pr-3 text-left font-medium">
                {settingLabel(setting)}
              </th>
              <td className="tabular py-1.5 pr-3">{settingText(setting, from)}</td>
              <td className="tabular py-1.5 pr-3">{settingText(setting, to)}</td>
              <td className="tabular py-1.5">
                {adminId === 'owner' ? 'Owner' : adminId},{' '}
                <span className="whitespace-nowrap">
                  <Time iso={at} />
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {changes.length > SHOWN && (
        <Button size="small" kind="quiet" className="mt-2 -ml-3" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? `Show the last ${SHOWN}` : `Show ${isWhole ? 'all' : 'the last'} ${changes.length}`}
        </Button>
      )}
    </div>
  )
}
