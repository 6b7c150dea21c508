import { LRUCache } from 'lru-cache'
import { SESSIONS_MAX } from '../domain/admin/admin.ts'
import { VaultAway } from '../engines/vault/vault.ts'
import { type CommandContext, nowText } from './command-context.ts'

/** Where a session of staff is: a row of the vault, without address, and of the browser with its name only. */
export interface SessionPlace {
  readonly browser: string
  readonly network: string
}

const WRITTEN_EVERY_MS = 5 * 60_000
export const ALL_NOTES = { before: Number.MAX_SAFE_INTEGER, limit: 1_000 }

/** Writes that a session was seen, at most every five minutes, and not while the vault is away. */
export function sessionNotes({ vault, clock }: Pick<CommandContext, 'vault' | 'clock'>) {
  const writtenAt = new LRUCache<string, number>({ max: SESSIONS_MAX })
  return async (id: string, value: SessionPlace): Promise<void> => {
    const due = clock.now()
    const isRecent = (at = 0) => Math.abs(due - at) < WRITTEN_EVERY_MS
    if (isRecent(writtenAt.get(id))) return
    writtenAt.set(id, due)
    try {
      const [note] = await vault.notes('session', [id])
      if (!isRecent(note?.due)) await vault.writeNote('session', { id, value, due }, note?.version ?? 'absent')
    } catch (error) {
      if (!(error instanceof VaultAway)) throw error
    }
  }
}

/** The open sessions, the oldest first. The log decides which are open; a session without a row has no place yet. */
export async function openSessions({ vault, hot, clock }: Pick<CommandContext, 'vault' | 'hot' | 'clock'>) {
  const notes = new Map((await vault.dueNotes('session', ALL_NOTES)).map((note) => [note.id, note]))
  const open = hot.admin.state.sessions.filter(({ expiresAt }) => expiresAt > nowText({ clock }))
  return open.map(({ sessionId: id, startedAt: firstSeen }) => {
    const { value, due } = notes.get(id) ?? {}
    const { browser = null, network = null } = (value ?? {}) as Partial<SessionPlace>
    return { id, browser, network, firstSeen, lastSeen: due === undefined ? firstSeen : new Date(due).toISOString() }
  })
}
