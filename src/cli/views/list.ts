import type { EventLog } from '../../event-store/event-log.ts'
import type { Position } from '../../event-store/event-store.ts'
import type { Projection } from '../../projections/projection.ts'
import { checkpointOf, currentBuild, isReady, type StandingBuild, standingBuilds } from '../../projector/builds.ts'
import { LAG_EVENTS_MAX, lagText, viewLags } from '../../projector/lag.ts'
import type { ViewStore } from '../../view-store/view-store.ts'

/** Counted no further. */
const DOCUMENTS_MAX = 100_000_000
const MB = 1_000_000

interface Standing extends Pick<StandingBuild, 'version' | 'number' | 'is'> {
  readonly position: Position
  readonly bytes: number | null
}

export interface ListedView {
  readonly name: string
  readonly version: number
  readonly isServing: boolean
  readonly head: Position
  /** Of the log, not yet folded; 1,000 stands for that many or more. */
  readonly eventsBehind: number
  readonly secondsBehind: number
  readonly documents: number
  /** An event could not be folded into them; 1,000 stands for that many or more. */
  readonly setAside: number
  /** All builds that stand under this name, the current one first. */
  readonly builds: readonly Standing[]
}

/** Each view as it stands. Reads only. */
export async function listViews({
  log,
  store,
  projections,
  now,
}: {
  readonly log: Pick<EventLog, 'head' | 'readAllStored'>
  readonly store: ViewStore
  readonly projections: readonly Projection[]
  readonly now: () => number
}): Promise<ListedView[]> {
  const listed: ListedView[] = []
  for (const projection of projections) {
    const { name, version } = projection
    const { collection } = await currentBuild(store, projection)
    const standing = await standingBuilds(store, projection)
    const isThere = standing.some(({ is }) => is === 'current')
    if (isThere) await store.open(collection)
    const [lag] = isThere ? await viewLags({ log, store, projections: [projection], now }) : []
    const builds: Standing[] = []
    for (const { collection: each, ...build } of standing)
      builds.push({
        ...build,
        position: await checkpointOf(store, each),
        bytes: (await store.bytes(each)) ?? null,
      })
    listed.push({
      name,
      version,
      isServing: isThere && (await isReady(store, collection)),
      head: await log.head(),
      eventsBehind: lag?.events ?? LAG_EVENTS_MAX,
      secondsBehind: lag?.seconds ?? 0,
      documents: isThere ? await store.count(collection, { where: [] }, DOCUMENTS_MAX) : 0,
      setAside: lag?.broken ?? 0,
      builds,
    })
  }
  return listed
}

/** For people: a line for each view, and one below it for each other build. */
export function linesOf(views: readonly ListedView[]): string[] {
  return views.flatMap((view) => {
    const [first, ...others] = view.builds
    const { name, version, isServing, eventsBehind: events, secondsBehind: seconds, documents, setAside } = view
    if (first?.is !== 'current') return [`${name}: version ${version} is not there`, ...view.builds.map(otherLine)]
    const lag = lagText({ name, isServing, events, seconds, broken: setAside })
    const parts = [
      `${name}: version ${version} build ${first.number}`,
      isServing ? 'serves' : 'does not serve',
      lag ?? 'up to date',
      `${documents} documents`,
      `${setAside} set aside`,
      ...sizeOf(first),
    ]
    return [parts.join(', '), ...others.map(otherLine)]
  })
}

function otherLine(build: Standing): string {
  return [`  version ${build.version} build ${build.number}`, build.is, ...sizeOf(build)].join(', ')
}

function sizeOf({ bytes }: Standing): string[] {
  return bytes === null ? [] : [`${(bytes / MB).toFixed(1)} MB`]
}
