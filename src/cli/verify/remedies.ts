import type { LogEngineName } from '../../engines/open-engines.ts'

/** What to do about problems of the log. */
export interface LogRemedies {
  /** The log cannot be read, or was changed. */
  readonly log: string
  /** This release cannot decode an event. */
  readonly unreadable: string
  /** The log ends before the last position that the vault knows. */
  readonly end: string
}

const ACCEPT = 'if there is none, stop every process and: npm run shop -- admin accept-loss'

export const logRemedies: Readonly<Record<LogEngineName, LogRemedies>> = {
  sqlite: {
    log: 'stop the shop, keep events.sqlite, put its newest copy back (docs/operations.md, Restore)',
    unreadable:
      'start the release that wrote it, or put the newest copy of events.sqlite back (docs/operations.md, Restore)',
    end: `put the newest copy of events.sqlite back; ${ACCEPT}`,
  },
  eventstoredb: {
    log: 'start it or correct its address; of a stream that was changed, docs/servers.md (Streams that were changed) has the smallest cure; the newest copy is the last',
    unreadable:
      'start the release that wrote it, or put the newest copy back as its vendor says (docs/servers.md, EventStoreDB)',
    end: `put its newest copy back as its vendor says (docs/servers.md, EventStoreDB); ${ACCEPT}`,
  },
}

/** What to do about other problems. */
export const remedies = {
  vault:
    'stop the shop, keep the vault (its keys are nowhere else), put its newest copy back (docs/operations.md, Restore)',
  buyer:
    'put the newest copy of the vault back (docs/operations.md, Restore); if the vault is lost: npm run shop -- admin accept-loss',
  mixed: 'put back the vault that belongs to this log (docs/operations.md, Restore)',
  anotherLog: 'set EVENTSTOREDB_URL or DATA_DIR to the log of the shop',
  first: 'fix that first, then verify again',
  later: 'verify again when /readyz is green',
  away: 'start it, or correct its address',
  books:
    'keep a copy of log and vault, look at these orders in the dashboard before anything more is given, and report it',
  views:
    'remove the folder views in DATA_DIR, also while the shop runs: they are built again (docs/operations.md, Rebuild the views)',
  viewDatabase: 'drop the database of MONGODB_URL: views are built again (docs/operations.md, Rebuild the views)',
  broken: 'it needs a release that can fold it; after an outage of the vault, npm run shop -- views rebuild',
} as const
