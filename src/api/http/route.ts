import type { Response } from 'express'
import type * as z from 'zod/mini'
import type { Caller } from '../../shop/shop.ts'
import type { Session, SessionCheck } from '../auth/require-admin.ts'

type Schema<T> = z.core.$ZodType<T>

/** What a route gets of a request: parsed, checked, and nothing else. */
export interface Call<Body = unknown, Query = unknown> {
  readonly body: Body
  readonly query: Query
  readonly caller: Caller
  /** Where the caller comes from, as far as limits go: the narrowest network first. */
  readonly networks: readonly [string, ...string[]]
  /** A browser that the owner has logged in from. */
  readonly browserId: string | undefined
  /** The staff's session; undefined for everybody else. */
  readonly session: Session | undefined
  readonly sessionCheck: SessionCheck
  /** This browser placed the order. */
  readonly isPlacedHere: (orderId: string) => boolean
  param(name: string): string
  header(name: string): string | undefined
}

export interface Answer {
  /** 200 when it is left out, or 204 without a body. */
  readonly status?: number
  readonly body?: unknown
  /** Last position that this request caused; whoever asks with it sees what was done. */
  readonly position?: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** Takes the response over and keeps it open. */
  readonly stream?: (response: Response) => void
}

interface Options<Body, Query> {
  readonly method: 'get' | 'post' | 'patch' | 'delete'
  /** As Express writes it: `/api/orders/:id`. */
  readonly path: string
  readonly summary: string
  readonly body?: Schema<Body>
  readonly query?: Schema<Query>
  /** Shape of the answer's body; null where there is none. */
  readonly answers: Schema<unknown> | null
  readonly status?: number
  /** Where a GET looks: it waits until that place has seen what the client has. A single stream is never behind. */
  readonly reads?: 'hot-states' | 'views'
}

export interface Route extends Options<unknown, unknown> {
  readonly who: 'anyone' | 'staff'
  readonly handle: (call: Call) => Promise<Answer>
}

/** A route that anybody may call. `session` says whether it is staff who ask. */
export function route<Body = undefined, Query = undefined>(
  options: Options<Body, Query> & { handle: (call: Call<Body, Query>) => Promise<Answer> },
): Route {
  return { ...options, who: 'anyone' } as unknown as Route
}

/** A route that needs the staff's session. */
export function staffRoute<Body = undefined, Query = undefined>(
  options: Options<Body, Query> & { handle: (call: StaffCall<Body, Query>) => Promise<Answer> },
): Route {
  return { ...options, who: 'staff' } as unknown as Route
}

export type StaffCall<Body = unknown, Query = unknown> = Call<Body, Query> & { readonly session: Session }
