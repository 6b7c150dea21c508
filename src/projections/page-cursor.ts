import { hash } from 'node:crypto'
import * as z from 'zod'
import type { FoundRow, Query, SortKey } from '../engines/view-store/view-store.ts'
import type { Views } from './shop-views.ts'

/** The cursor was not made for this list's sort order. */
export class CursorInvalid extends Error {
  override readonly name = 'CursorInvalid'
  constructor() {
    super('This page of the list does not exist. Start again from its first page.')
  }
}

const content = z.tuple([z.string(), z.string(), z.string()])
const CHECK_CHARACTERS = 8

/** `order` names the list's sort order; `pageStartOf` rejects the cursor for any other. */
export function cursorOf(order: string, { value, id }: SortKey): string {
  const text = Buffer.from(JSON.stringify([order, value, id])).toString('base64url')
  return `${text}.${checkOf(text)}`
}

/** Throws `CursorInvalid` for anything that `cursorOf` did not make for this order. */
export function pageStartOf(order: string, cursor: string): SortKey {
  const [text = '', check, ...rest] = cursor.split('.')
  if (check !== checkOf(text) || rest.length > 0) throw new CursorInvalid()
  const parsed = content.safeParse(jsonOf(Buffer.from(text, 'base64url').toString()))
  if (!parsed.success) throw new CursorInvalid()
  const [cursorOrder, value, id] = parsed.data
  if (cursorOrder !== order) throw new CursorInvalid()
  return { value, id }
}

/** A page of the rows that a query finds, and the cursor of the next page. Throws `CursorInvalid` for a cursor of another sort order. */
export async function findPage(
  views: Views,
  view: string,
  query: Query,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ rows: readonly FoundRow[]; next: string | null }> {
  const order = `${query.range?.field} ${query.direction}`
  const after = cursor === undefined ? undefined : pageStartOf(order, cursor)
  const rows = await views.find(view, query, { limit: limit + 1, after })
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { rows: shown, next: last ? cursorOf(order, last) : null }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function checkOf(text: string): string {
  return hash('sha256', text, 'hex').slice(0, CHECK_CHARACTERS)
}
