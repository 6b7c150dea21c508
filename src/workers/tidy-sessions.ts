import { hasSession } from '../domain/admin/admin.ts'
import { type CommandContext, nowText } from '../shop/command-context.ts'
import { ALL_NOTES } from '../shop/session-notes.ts'
import { jobFor, jobNumber, type Policy, jobText } from './policy.ts'

/** Deletes the vault's rows of sessions that have ended or expired, or that the log does not know. */
export function tidySessions({ vault, hot, clock }: CommandContext): Policy {
  const name = 'tidy-sessions'
  const isOpen = (id: string): boolean => hasSession(hot.admin.state, id, nowText({ clock }))
  return {
    name,
    concurrency: 1,
    timeoutMs: 30_000,
    async due() {
      const notes = await vault.dueNotes('session', ALL_NOTES)
      return notes.filter(({ id }) => !isOpen(id)).map(({ id, version }) => jobFor(name, { id, version }, id))
    },
    async run(job) {
      const id = jobText(job, 'id')
      // Another process may have started it just now.
      await hot.admin.refresh()
      if (!isOpen(id)) await vault.deleteNote('session', { id, version: jobNumber(job, 'version') })
    },
  }
}
