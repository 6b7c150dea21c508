import type { EventLog } from '../log/event-log.ts'
import { logPages } from '../log/log-pages.ts'
import { type Position, START } from '../engines/event-store/event-store.ts'
import { type Vault, VaultAway, type VaultNote } from '../engines/vault/vault.ts'
import { type MessageWay, wayNames } from '../messages/message-way.ts'
import { type ChannelName, channelsOf } from '../messages/ways.ts'
import type { CommandContext } from './command-context.ts'

/* What the sender of messages keeps in the vault, and what the owner sees of it. */

export interface ChannelState {
  /** Positions of another log mean nothing here. */
  readonly logId: string
  /** Up to here all is said, or a failed message keeps it. */
  readonly position: Position
  /** States of the shop whose beginning was said, and when each began. */
  readonly told: Readonly<Record<string, number>>
  /** ISO time of the last message that the way accepted. */
  readonly lastSentAt: string | null
  /** The last failure, unless a message was accepted since. */
  readonly lastError: { readonly at: string; readonly text: string } | null
  /** Messages that were given up, since messages were turned on. */
  readonly givenUp: number
}

/** The mails of one order that could not be sent. */
export interface FailedMails {
  /** Of the events, in their order; empty for a request to find orders. */
  readonly revisions: readonly number[]
  readonly attempts: number
  readonly firstAt: number
}

/** A conditional write lost: another process sends, or the owner turned messages on again. */
export class NotesMoved extends Error {
  override readonly name = 'NotesMoved'
}

interface Switch {
  readonly publicUrl: string
  readonly isOn: boolean
}

/** States of the shop, in the vault. */
export const STATE = 'shop '
const alarmKinds = ['wrong-codes'] as const
export type AlarmKind = (typeof alarmKinds)[number]
/** An alarm that could not be told for this long is dropped. */
const ALARM_MS = 86_400_000

const SWITCH = 'switch'
const FAILURES_READ = 1_000
/** Events that are counted when messages are turned on. */
const PAGES_COUNTED_MAX = 100
const LATE = Number.MAX_SAFE_INTEGER

export type MessagesOff = 'variable' | 'another-address' | 'turned-off'

/** The ways of the configuration, for the log of this identity. */
export interface Messages {
  readonly ways: readonly MessageWay[]
  readonly logId: string
}

type Desk = { readonly vault: Vault; readonly log: EventLog; readonly logId: string }

/** Messages are sent under one address, so that a copy of the shop elsewhere sends nothing. The first process to ask under a new vault turns them on. */
export async function whyMessagesOff(
  vault: Vault,
  { PUBLIC_URL, MESSAGES }: { readonly PUBLIC_URL: string; readonly MESSAGES: 'on' | 'off' },
): Promise<MessagesOff | null> {
  if (MESSAGES === 'off') return 'variable'
  const [note] = await vault.notes('state', [SWITCH])
  if (note === undefined) {
    const value: Switch = { publicUrl: PUBLIC_URL, isOn: true }
    return (await vault.writeNote('state', { id: SWITCH, value, due: undefined }, 'absent'))
      ? null
      : whyMessagesOff(vault, { PUBLIC_URL, MESSAGES })
  }
  const { publicUrl, isOn } = note.value as Switch
  if (!isOn) return 'turned-off'
  return publicUrl === PUBLIC_URL ? null : 'another-address'
}

/** Whether mails about orders are sent now; false while the vault does not answer. */
export async function mailsBuyers({ vault, config }: Pick<CommandContext, 'vault' | 'config'>): Promise<boolean> {
  if (config.SMTP_URL === undefined) return false
  try {
    return (await whyMessagesOff(vault, config)) === null
  } catch (error) {
    if (error instanceof VaultAway) return false
    throw error
  }
}

/** For a restored copy: it sends nothing until the owner says so. */
export async function turnMessagesOff(vault: Vault): Promise<void> {
  const [note] = await vault.notes('state', [SWITCH])
  await vault.writeNote(
    'state',
    { id: SWITCH, value: { publicUrl: '', isOn: false }, due: undefined },
    note?.version ?? 'absent',
  )
}

/** After the log lost its end, or an older vault was put back: each channel begins at the head. */
export async function beginAtHead(vault: Vault): Promise<void> {
  for (const note of await vault.notes('state', channelIds))
    await vault.writeNote('state', { ...note, value: { ...(note.value as ChannelState), logId: '' } }, note.version)
}

/** Sends from now on, under this address: nothing that happened before, and no message that failed. Returns how many events are passed over. */
export async function turnMessagesOn({ vault, log, logId }: Desk, publicUrl: string): Promise<{ passedOver: number }> {
  const position = await log.head()
  let from = position
  for (const note of await vault.notes('state', channelIds)) {
    const known = note.value as ChannelState
    if (known.logId === logId && known.position < from) ({ position: from } = known)
    const value: ChannelState = { ...newChannel(logId, position), lastSentAt: known.lastSentAt }
    if (!(await vault.writeNote('state', { ...note, value }, note.version))) throw new NotesMoved()
  }
  for (let failed = await failures(vault); failed.length > 0; failed = await failures(vault))
    for (const one of failed) await vault.deleteNote('message', one)
  const passedOver = await countEvents(log, { after: from, upTo: position })
  const [note] = await vault.notes('state', [SWITCH])
  const value: Switch = { publicUrl, isOn: true }
  await vault.writeNote('state', { id: SWITCH, value, due: undefined }, note?.version ?? 'absent')
  return { passedOver }
}

async function countEvents(log: EventLog, { after, upTo }: { after: Position; upTo: Position }): Promise<number> {
  let [events, pages] = [0, 0]
  for await (const page of logPages((asked) => log.readAllStored(asked), { after })) {
    events += page.filter(({ position }) => position <= upTo).length
    pages += 1
    if (pages >= PAGES_COUNTED_MAX || (page.at(-1)?.position ?? START) >= upTo) break
  }
  return events
}

/** Begins a state that no check finds, such as an alarm of the login. The owner gets one message each time. */
export async function raiseAlarm(vault: Vault, kind: AlarmKind, now: number): Promise<void> {
  const [note] = await vault.notes('state', [stateId(kind)])
  // A concurrent one tells the same.
  await vault.writeNote('state', { id: stateId(kind), value: {}, due: now }, note?.version ?? 'absent')
}

export function isOldAlarm({ id, due = 0 }: Pick<VaultNote, 'id' | 'due'>, now: number): boolean {
  return alarmKinds.some((kind) => stateId(kind) === id) && due < now - ALARM_MS
}

export function stateId(kind: string): string {
  return `${STATE}${kind}`
}

/** How each channel fares, for the owner: nothing of a buyer. `waiting`: failed messages that are sent again, counted up to 1,000. */
export async function readMessages(
  { vault, config }: Pick<CommandContext, 'vault' | 'config'>,
  ways: readonly MessageWay[],
) {
  const whyOff = await whyMessagesOff(vault, config)
  const notes = new Map((await vault.notes('state', channelIds)).map(({ id, value }) => [id, value as ChannelState]))
  const failed = (await failures(vault)).length
  const channels = channelsOf(ways, config).map(({ name }) => {
    const { lastSentAt = null, lastError = null, givenUp = 0 } = notes.get(channelId(name)) ?? {}
    return { name, lastSentAt, lastError, waiting: name === 'buyers' ? failed : 0, givenUp }
  })
  return { whyOff, ways: channels }
}

async function failures(vault: Vault): Promise<VaultNote[]> {
  return vault.dueNotes('message', { before: LATE, limit: FAILURES_READ })
}

export function newChannel(logId: string, position: Position): ChannelState {
  return { logId, position, told: {}, lastSentAt: null, lastError: null, givenUp: 0 }
}

export function channelId(name: ChannelName): string {
  return `channel ${name}`
}

const channelIds = [...wayNames, 'buyers' as const].map(channelId)
