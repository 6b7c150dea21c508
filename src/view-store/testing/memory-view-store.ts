import {
  BROKEN_MAX,
  bodyText,
  checkCollection,
  checkDocument,
  type CheckedCondition,
  type CheckedQuery,
  checkedQuery,
  checkIds,
  compareText,
  compareValues,
  checkedCount,
  fieldsText,
  fieldTerms,
  fieldValue,
  ID,
  termsFields,
  valueFields,
} from '../query.ts'
import {
  type Collection,
  type FieldValue,
  type FoundRow,
  type SortKey,
  type ViewDocument,
  type ViewStore,
  WriteConflict,
} from '../view-store.ts'

interface Stored {
  readonly document: ViewDocument
  readonly values: ReadonlyMap<string, FieldValue | undefined>
  readonly terms: ReadonlyMap<string, ReadonlySet<string>>
}

interface Opened {
  readonly fields: string
  readonly documents: Map<string, Stored>
}

/** All that a memory view store holds. */
export interface MemoryViews {
  readonly opened: Map<string, Opened>
  readonly marks: Map<string, string>
}

export function noViews(): MemoryViews {
  return { opened: new Map(), marks: new Map() }
}

export function copyOfViews({ opened, marks }: MemoryViews): MemoryViews {
  const copied = [...opened].map(
    ([name, { fields, documents }]) => [name, { fields, documents: new Map(documents) }] as const,
  )
  return { opened: new Map(copied), marks: new Map(marks) }
}

/** In memory only, for replays, simulations and fast tests. Results are frozen. */
// oxlint-disable-next-line max-lines-per-function -- the port's short methods over two maps
export function memoryViewStore({ opened, marks }: MemoryViews = noViews()): ViewStore {
  function documentsOf({ name }: Collection): Map<string, Stored> {
    const collection = opened.get(name)
    if (!collection) throw new TypeError(`${name} is not open`)
    return collection.documents
  }

  function raise(name: string, value: string): void {
    const mark = marks.get(name)
    if (mark === undefined || compareText(value, mark) > 0) marks.set(name, value)
  }

  /** The documents that the query scans, in its order, and the matching ones of them. */
  function looked(collection: Collection, query: CheckedQuery) {
    const { where, filter, sortedBy, scanMax, isIndexOrdered, after } = query
    const behind = (stored: Stored): boolean => !after || compared(query, placeOf(query, stored), after) > 0
    const led = [...documentsOf(collection).values()]
      .filter(
        ({ document, values }) =>
          document.body !== undefined && (sortedBy === ID || values.get(sortedBy) !== undefined),
      )
      .filter((stored) => where.every((condition) => fits(condition, stored)))
      .sort((a, b) => compared(query, placeOf(query, a), placeOf(query, b)))
    const at = (isIndexOrdered ? led.filter(behind) : led).slice(0, scanMax)
    const found = at.filter((stored) => filter.every((condition) => fits(condition, stored)))
    return { at, found: isIndexOrdered ? found : found.filter(behind) }
  }

  return {
    async open(collection) {
      checkCollection(collection)
      const fields = fieldsText(collection)
      const known = opened.get(collection.name)
      if (!known) opened.set(collection.name, { fields, documents: new Map() })
      else if (known.fields !== fields)
        throw new TypeError(`${collection.name} has other fields: give it a new version`)
    },

    async load(collection, ids) {
      checkIds(ids)
      const documents = documentsOf(collection)
      const found = new Map<string, ViewDocument>()
      for (const id of ids) {
        const stored = documents.get(id)
        if (stored) found.set(id, stored.document)
      }
      return found
    },

    async write(writes) {
      const kept = writes.map((write) => ({
        ...write,
        kept: write.documents.map((each) => storable(write.collection, each)),
      }))
      for (const { collection, kept: documents, mark } of kept) {
        const stored = documentsOf(collection)
        for (const { over, ...each } of documents) {
          if (stored.get(each.document.id)?.document.position !== over) throw new WriteConflict()
          stored.set(each.document.id, each)
        }
        if (!mark) continue
        if (marks.get(mark.name) !== mark.from) throw new WriteConflict()
        marks.set(mark.name, mark.value)
      }
    },

    async find(collection, query, page) {
      const checked = checkedQuery(collection, query, page)
      const { select, isIndexOrdered, filter, limit, scanMax } = checked
      const { at, found } = looked(collection, checked)
      const rows = found.slice(0, limit).map((stored): FoundRow => ({
        ...placeOf(checked, stored),
        selected: select.map((field) => (field === ID ? stored.document.id : stored.values.get(field))),
      }))
      const last = at[scanMax - 1]
      const isStopped = isIndexOrdered && filter.length > 0 && rows.length < limit && last !== undefined
      return { rows, scannedTo: isStopped ? placeOf(checked, last) : undefined }
    },

    async count(collection, query, limit) {
      return Math.min(looked(collection, checkedCount(collection, query, limit)).found.length, limit)
    },

    async countBroken(collection) {
      const broken = [...documentsOf(collection).values()].filter((stored) => stored.document.broken)
      return Math.min(broken.length, BROKEN_MAX)
    },

    bytes: async () => undefined,

    marks: () => ({
      read: async (name) => marks.get(name),
      raise: async (name, value) => raise(name, value),
      set: async (name, value) => void marks.set(name, value),
      async replace(name, { from, to }) {
        if (marks.get(name) !== from) return false
        marks.set(name, to)
        return true
      },
    }),

    async collections() {
      return [...opened.keys()].sort(compareText).map((name) => ({ name }))
    },

    async drop({ name }) {
      opened.delete(name)
    },

    async wipe() {},

    async close() {},
  }
}

function placeOf({ sortedBy }: CheckedQuery, { document, values }: Stored): SortKey {
  return { id: document.id, value: sortedBy === ID ? document.id : (values.get(sortedBy) ?? '') }
}

function compared({ sortedBy, direction }: CheckedQuery, a: SortKey, b: SortKey): number {
  const byValue = sortedBy === ID ? 0 : compareValues(a.value, b.value)
  return (direction === 'asc' ? 1 : -1) * (byValue || compareText(a.id, b.id))
}

function storable(collection: Collection, document: ViewDocument): Stored & Pick<ViewDocument, 'over'> {
  checkDocument(document)
  const { id, position, over, broken } = document
  const text = bodyText(document)
  const body: unknown = text === undefined ? undefined : JSON.parse(text)
  return {
    over,
    document: frozen({ id, position, body, ...(broken && { broken: { ...broken } }) }),
    values: new Map(valueFields(collection).map((field) => [field, fieldValue(collection, document, field)])),
    terms: new Map(termsFields(collection).map((field) => [field, fieldTerms(collection, document, field)])),
  }
}

function fits(condition: CheckedCondition, { document, values, terms }: Stored): boolean {
  const { field, isOfTerms } = condition
  const given = isOfTerms ? [...(terms.get(field) ?? [])] : [field === ID ? document.id : values.get(field)]
  return given.some((value) => {
    if (value === undefined) return false
    if (condition.kind === 'anyOf') return condition.values.includes(value)
    const { from, below } = condition
    return (
      (from === undefined || compareValues(value, from) >= 0) &&
      (below === undefined || compareValues(value, below) < 0)
    )
  })
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) frozen(inner)
    Object.freeze(value)
  }
  return value
}
