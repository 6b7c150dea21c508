import { hash } from 'node:crypto'
import * as z from 'zod'
import type { SortKey } from '../engines/view-store/view-store.ts'

/** The cursor is not one of this list. */
export class CursorInvalid extends Error {
  override readonly name = 'CursorInvalid'
  constructor() {
    super('This page of the list does not exist. Start again from its first page.')
  }
}

const content = z.tuple([z.string(), z.string(), z.string()])
const CHECK_CHARACTERS = 8

/** `order` names the list's sort: a cursor is invalid in any other. */
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
  const [ownOrder, value, id] = parsed.data
  if (ownOrder !== order) throw new CursorInvalid()
  return { value, id }
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
