import {
  BROKEN_MAX,
  bodyText,
  checkCollection,
  checkCount,
  checkDocument,
  checkedConditions,
  checkedQuery,
  checkFields,
  checkIds,
  checkLimit,
  compareText,
  compareValues,
  fieldsText,
  fieldTerms,
  fieldValue,
  ID,
  termsFields,
  valueFields,
} from '../fields.ts'
import type { Condition } from '../fields.ts'
import type { Collection, Conditions, FieldValue, Query, ViewDocument, ViewStore } from '../view-store.ts'

interface Stored {
  readonly document: ViewDocument
  readonly values: ReadonlyMap<string, FieldValue | undefined>
  readonly terms: ReadonlyMap<string, ReadonlySet<string>>
}

interface Shelf {
  readonly fields: string
  readonly documents: Map<string, Stored>
}

/** Views in this process alone, gone when it ends: for replays, simulations and fast tests. What it answers is frozen. */
export function memoryViewStore(): ViewStore {
  const shelves = new Map<string, Shelf>()
  const marks = new Map<string, string>()

  function documentsOf({ name }: Collection): Map<string, Stored> {
    const shelf = shelves.get(name)
    if (!shelf) throw new TypeError(`${name} is not open`)
    return shelf.documents
  }

  function matching(collection: Collection, conditions: readonly Condition[]): Stored[] {
    return [...documentsOf(collection).values()].filter(
      (stored) => stored.document.body !== undefined && conditions.every((condition) => holds(condition, stored)),
    )
  }

  function found(collection: Collection, query: Query): Stored[] {
    const { conditions, sort, after, limit } = checkedQuery(collection, query)
    const sign = sort.direction === 'asc' ? 1 : -1
    const valueOf = (stored: Stored) => (sort.field === undefined ? undefined : stored.values.get(sort.field))
    const isBehind = (stored: Stored) =>
      !after || sign * (compareValues(valueOf(stored), after.value) || compareText(stored.document.id, after.id)) > 0
    return matching(collection, conditions)
      .filter(isBehind)
      .sort((a, b) => sign * (compareValues(valueOf(a), valueOf(b)) || compareText(a.document.id, b.document.id)))
      .slice(0, limit)
  }

  async function find(collection: Collection, query: Query): Promise<ViewDocument[]> {
    return found(collection, query).map((stored) => stored.document)
  }

  async function count(collection: Collection, query: Conditions, limit: number): Promise<number> {
    checkCount(limit)
    return Math.min(matching(collection, checkedConditions(collection, query)).length, limit)
  }

  return {
    async open(collection) {
      checkCollection(collection)
      const fields = fieldsText(collection)
      const shelf = shelves.get(collection.name)
      if (!shelf) shelves.set(collection.name, { fields, documents: new Map() })
      else if (shelf.fields !== fields)
        throw new TypeError(`${collection.name} has other fields: give it a new version`)
    },

    async load(collection, ids) {
      checkIds(ids)
      const documents = documentsOf(collection)
      const loaded = new Map<string, ViewDocument>()
      for (const id of ids) {
        const stored = documents.get(id)
        if (stored) loaded.set(id, stored.document)
      }
      return loaded
    },

    async write(collection, documents) {
      const stored = documentsOf(collection)
      for (const document of documents.map((each) => keepable(collection, each))) {
        const { id, position } = document.document
        const older = stored.get(id)
        if (!older || compareText(position, older.document.position) > 0) stored.set(id, document)
      }
    },

    find,

    async findFields(collection, query, fields) {
      checkFields(collection, fields)
      return found(collection, query).map(({ document, values }) => ({
        id: document.id,
        values: fields.map((field) => values.get(field)),
      }))
    },

    async findPage(collection, query, countMax) {
      const documents = await find(collection, query)
      return { documents, stoppedAt: undefined, count: countMax === 0 ? 0 : await count(collection, query, countMax) }
    },

    count,

    async findIds(collection, query, limit) {
      checkLimit(limit)
      const some = matching(collection, checkedConditions(collection, query)).slice(0, limit)
      return some.map(({ document }) => document.id)
    },

    async countBroken(collection) {
      const broken = [...documentsOf(collection).values()].filter((stored) => stored.document.broken)
      return Math.min(broken.length, BROKEN_MAX)
    },

    async readMark(name) {
      return marks.get(name)
    },

    async raiseMark(name, value) {
      const mark = marks.get(name)
      if (mark === undefined || compareText(value, mark) > 0) marks.set(name, value)
    },

    async setMark(name, value) {
      marks.set(name, value)
    },

    async replaceMark(name, { from, to }) {
      if (marks.get(name) !== from) return false
      marks.set(name, to)
      return true
    },

    async collections() {
      return [...shelves.keys()].sort(compareText)
    },

    async drop(name) {
      shelves.delete(name)
    },

    async batch(work) {
      return work()
    },

    async close() {},
  }
}

function keepable(collection: Collection, document: ViewDocument): Stored {
  checkDocument(document)
  const { id, position, broken } = document
  const text = bodyText(document)
  const body: unknown = text === undefined ? undefined : JSON.parse(text)
  return {
    document: frozen({ id, position, body, ...(broken && { broken: { ...broken } }) }),
    values: new Map(valueFields(collection).map((field) => [field, fieldValue(collection, document, field)])),
    terms: new Map(termsFields(collection).map((field) => [field, fieldTerms(collection, document, field)])),
  }
}

function holds(condition: Condition, { document, values, terms }: Stored): boolean {
  const value = condition.field === ID ? document.id : values.get(condition.field)
  switch (condition.kind) {
    case 'anyOf':
      return value !== undefined && condition.values.includes(value)
    case 'beginsWith': {
      const texts = condition.isTerms ? [...(terms.get(condition.field) ?? [])] : [value]
      return texts.some((text) => typeof text === 'string' && text.startsWith(condition.text))
    }
    case 'range':
      return (
        value !== undefined &&
        (condition.from === undefined || compareValues(value, condition.from) >= 0) &&
        (condition.to === undefined || compareValues(value, condition.to) < 0)
      )
  }
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) frozen(inner)
    Object.freeze(value)
  }
  return value
}
