import type { MessagesState, MessageWayState } from '#contract/messages.ts'
import { sendTestMessage, turnMessagesOn, useMessages } from '../../../api/admin.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Check } from '../../../components/ui/field.tsx'
import { Notice } from '../../../components/ui/notice.tsx'
import { Time } from '../../../components/ui/timeline.tsx'
import { TitledCard } from '../../../components/ui/titled-card.tsx'
import { toast, useAction } from '../../../components/ui/use-action.ts'
import { count } from '../../../lib/format.ts'
import { useBrowserNotices } from '../shared/use-waiting.ts'

const names: Readonly<Record<MessageWayState['name'], string>> = {
  mail: 'Mail to you',
  discord: 'Discord',
  telegram: 'Telegram',
  buyers: 'Mail to buyers',
}

const whyOff: Readonly<Record<NonNullable<MessagesState['whyOff']>, string>> = {
  variable: 'MESSAGES is off. To get messages, remove the variable and start the shop again.',
  'another-address': 'They were on under another address (PUBLIC_URL), and this may be a copy of that shop.',
  'turned-off': 'The shop was restored from a backup, and another shop may still send them.',
}

/** The ways on which the owner learns of work, and how each fares. */
export function MessagesCard() {
  const { data } = useMessages()
  if (data === undefined) return null
  return (
    <TitledCard title="Messages" id="messages">
      {data.whyOff !== null && <Off why={data.whyOff} />}
      {data.ways.length === 0 ? (
        <p className="text-muted">
          The shop tells you of an order by mail (SMTP_URL, MAIL_FROM, OWNER_MAIL), Discord (DISCORD_WEBHOOK_URL) or
          Telegram (TELEGRAM_BOT_TOKEN, TELEGRAM_CHAT_ID) once these variables are set.
        </p>
      ) : (
        <ul className="grid gap-3">
          {data.ways.map((way) => (
            <Way key={way.name} {...way} />
          ))}
        </ul>
      )}
      <BrowserNotices />
    </TitledCard>
  )
}

function Off({ why }: { why: NonNullable<MessagesState['whyOff']> }) {
  const turn = useAction(async () => {
    const { passedOver } = await turnMessagesOn()
    toast('Messages are on', `They begin with what happens now; ${count(passedOver)} earlier events are not sent.`)
  }, 'Messages are still off')
  return (
    <Notice tone="wait" title="Messages are off">
      <p>{whyOff[why]}</p>
      {why !== 'variable' && (
        <div>
          <Button size="small" kind="primary" pending={turn.isBusy && 'Turning on...'} onClick={turn.run}>
            Turn on
          </Button>
        </div>
      )}
    </Notice>
  )
}

function Way({ name, lastSentAt, lastError, waiting, givenUp }: MessageWayState) {
  const test = useAction(async () => {
    if (name !== 'buyers') await sendTestMessage(name)
    toast('Test sent', `${names[name]} accepted it. Look whether it has arrived.`)
  })
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
      <div className="grid min-w-0 flex-1 basis-60 gap-0.5">
        <h4 className="font-semibold">{names[name]}</h4>
        <p className="text-muted wrap-anywhere">
          {lastSentAt === null ? (
            'Nothing was sent yet.'
          ) : (
            <>
              Last sent <Time iso={lastSentAt} />.
            </>
          )}
          {waiting > 0 && ` ${count(waiting)} failed and will be sent again.`}
          {givenUp > 0 && ` ${count(givenUp)} failed for a day and were given up.`}
        </p>
        {lastError !== null && (
          <p className="text-red wrap-anywhere">
            Failed <Time iso={lastError.at} />: {lastError.text}
          </p>
        )}
        {test.problem !== undefined && (
          <p role="alert" className="font-medium text-red wrap-anywhere">
            The test was not sent. {test.problem}
          </p>
        )}
      </div>
      {name !== 'buyers' && (
        <Button size="small" pending={test.isBusy && 'Sending...'} onClick={test.run}>
          Send a test<span className="sr-only"> by {names[name]}</span>
        </Button>
      )}
    </li>
  )
}

function BrowserNotices() {
  const { isAvailable, isOn, isBlocked, turn } = useBrowserNotices()
  if (!isAvailable) return null
  return (
    <div>
      <Check checked={isOn} onChange={turn}>
        Notify me of new work in this browser
      </Check>
      {isBlocked && (
        <p role="status" className="text-red">
          The browser blocks notifications of this page: allow them in its site settings.
        </p>
      )}
    </div>
  )
}
