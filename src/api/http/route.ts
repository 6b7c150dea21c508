import type { Response } from 'express'
import type * as z from 'zod/mini'
import type { Caller } from '../../shop/command-context.ts'
import type { Views } from '../../projections/shop-views.ts'
import type { Session, SessionCheck } from '../auth/require-admin.ts'

type Schema<T> = z.core.$ZodType<T>

/** A route's input, parsed and checked. */
export interface Call<Body = unknown, Query = unknown> {
  readonly body: Body
  readonly query: Query
  readonly caller: Caller
  /** The caller's networks for rate limits, the narrowest first. */
  readonly networks: readonly [string, ...string[]]
  /** Id of a browser that the owner has logged in from. */
  readonly browserId: string | undefined
  /** The staff session, that of `sessionCheck`; undefined for other callers. */
  readonly session: Session | undefined
  readonly sessionCheck: SessionCheck
  /** This browser placed the order. */
  isPlacedHere(orderId: string): boolean
  /** Waits until the views have what this caller has seen and this process has acknowledged. Throws `ViewBehind`. */
  views(): Promise<Views>
  param(name: string): string
  header(name: string): string | undefined
}

/** `Body` is the contract's type. */
export interface Answer<Body = unknown> {
  /** By default 200, or 204 without a body. */
  readonly status?: number
  readonly body?: Body
  /** Last position that this request caused; a read that sends it sees the change. */
  readonly position?: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** Takes over the response and keeps it open. A rejection is logged and breaks the connection. */
  readonly stream?: (response: Response) => Promise<void> | void
}

/** So that a route may return read-only values. */
type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T

interface Options<Body, Query, Answered> {
  /** The `operationId`, for generated clients. */
  readonly id: string
  readonly method: 'get' | 'post' | 'patch' | 'delete'
  /** In Express's syntax: `/api/orders/:id`. */
  readonly path: string
  readonly summary: string
  readonly body?: Schema<Body>
  readonly query?: Schema<Query>
  /** Schema of the response body; null if none. */
  readonly answers: Schema<Answered> | null
  /** JSON by default. */
  readonly answersType?: 'text/csv' | 'text/event-stream'
  readonly status?: number
  /** Headers that the route reads or sends, beyond those of every call. */
  readonly headers?: readonly ('Idempotency-Key' | 'If-Match' | 'ETag')[]
  /** Where a second factor is on: only after a code, given in the last 15 minutes. */
  readonly needs?: 'fresh-session'
  /** Waits until the hot states have what the caller has seen. A single stream is always current. */
  readonly reads?: 'hot-states'
}

export interface Route extends Options<unknown, unknown, unknown> {
  readonly who: 'anyone' | 'staff'
  readonly handle: (call: Call) => Promise<Answer>
}

/** A public route; `session` is set if staff call it. */
export function route<Body = undefined, Query = undefined, Answered = undefined>(
  options: Options<Body, Query, Answered> & {
    handle: (call: Call<Body, Query>) => Promise<Answer<DeepReadonly<Answered>>>
  },
): Route {
  return { ...options, who: 'anyone' } as unknown as Route
}

/** A route that needs a staff session. */
export function staffRoute<Body = undefined, Query = undefined, Answered = undefined>(
  options: Options<Body, Query, Answered> & {
    handle: (call: StaffCall<Body, Query>) => Promise<Answer<DeepReadonly<Answered>>>
  },
): Route {
  return { ...options, who: 'staff' } as unknown as Route
}

export type StaffCall<Body = unknown, Query = unknown> = Call<Body, Query> & { readonly session: Session }

/** A response body of one sentence. */
export function sentenceBody(message: string): { readonly success: true; readonly message: string } {
  return { success: true, message }
}
