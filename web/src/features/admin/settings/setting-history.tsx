import type { SettingHistoryEntry } from '#contract/settings.ts'
import { useState } from 'react'
import { useSettingChanges } from '../../../api/admin.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Loaded } from '../../../components/ui/loaded.tsx'
import { type Column, inCard, Table } from '../../../components/ui/table.tsx'
import { Time } from '../../../components/ui/timeline.tsx'
import { TitledCard } from '../../../components/ui/titled-card.tsx'
import { settingLabel, settingText } from './setting-fields.ts'

const SHOWN = 8

export function SettingHistoryCard() {
  const response = useSettingChanges()
  return (
    <TitledCard title="Settings history">
      <p className="text-muted">What was changed here, newest first. The stock is not in it: sales change it, too.</p>
      <Loaded
        response={response}
        loading="Loading the history..."
        failure="The history of the settings could not be loaded"
        empty={response.data?.changes.length === 0 ? <p>Nothing was changed yet.</p> : undefined}
      >
        {({ changes, isWhole }) => <Changes changes={changes} isWhole={isWhole} />}
      </Loaded>
    </TitledCard>
  )
}

const columns: readonly Column<SettingHistoryEntry & { id: string }>[] = [
  { name: 'Setting', cell: ({ setting }) => <span className="font-medium">{settingLabel(setting)}</span> },
  {
    name: 'From',
    cellClassName: 'tabular-nums wrap-anywhere',
    cell: ({ setting, from }) => settingText(setting, from),
  },
  { name: 'To', cellClassName: 'tabular-nums wrap-anywhere', cell: ({ setting, to }) => settingText(setting, to) },
  {
    name: 'Who and when',
    cellClassName: 'tabular-nums',
    cell: ({ adminId, at }) => (
      <span>
        {adminId === 'owner' ? 'Owner' : adminId}, <Time iso={at} />
      </span>
    ),
  },
]

function Changes({ changes, isWhole }: { changes: readonly SettingHistoryEntry[]; isWhole: boolean }) {
  const [showsAll, setShowsAll] = useState(false)
  const shown = showsAll ? changes : changes.slice(0, SHOWN)
  return (
    <>
      <Table
        columns={columns}
        rows={shown.map((change) => ({ ...change, id: `${change.at} ${change.setting}` }))}
        className={inCard}
        line={({ setting, from, to, adminId, at }) => (
          <>
            <span className="font-medium">{settingLabel(setting)}</span>: {settingText(setting, from)} to{' '}
            {settingText(setting, to)}
            <p className="text-muted">
              {adminId === 'owner' ? 'Owner' : adminId}, <Time iso={at} />
            </p>
          </>
        )}
      />
      {changes.length > SHOWN && (
        <Button size="small" kind="quiet" className="-ml-3 justify-self-start" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? `Show the last ${SHOWN}` : `Show ${isWhole ? 'all' : 'the last'} ${changes.length}`}
        </Button>
      )}
    </>
  )
}
