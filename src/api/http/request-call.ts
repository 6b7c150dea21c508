import type { Request, Response } from 'express'
import type { Caller, Random } from '../../shop/shop.ts'
import { networksOf } from '../auth/address.ts'
import type { Session, SessionCheck } from '../auth/require-admin.ts'
import type { Call } from './route.ts'

interface Known {
  readonly body: unknown
  readonly query: unknown
  readonly sessionCheck: SessionCheck
  readonly browserId: string | undefined
  readonly isPlacedHere: (orderId: string) => boolean
  readonly actor: Caller['actor']
}

/**
 * A request as its route sees it; what few routes ask for is worked out when it is. A class, because V8 gives every object literal with a getter a shape
 * of its own, which keeps the whole request until the old heap is collected.
 */
export class RequestCall implements Call {
  readonly body: unknown
  readonly query: unknown
  readonly session: Session | undefined
  readonly sessionCheck: SessionCheck
  readonly browserId: string | undefined
  readonly isPlacedHere: (orderId: string) => boolean
  private readonly request: Request
  private readonly response: Response
  private readonly random: Random
  private readonly actor: Caller['actor']
  private madeCaller: Caller | undefined

  constructor(request: Request, response: Response, { known, random }: { known: Known; random: Random }) {
    this.body = known.body
    this.query = known.query
    this.session = known.sessionCheck.session
    this.sessionCheck = known.sessionCheck
    this.browserId = known.browserId
    this.isPlacedHere = known.isPlacedHere
    this.request = request
    this.response = response
    this.random = random
    this.actor = known.actor
  }

  get networks(): readonly [string, ...string[]] {
    return networksOf(this.request.ip)
  }

  get caller(): Caller {
    this.madeCaller ??= {
      requestId: this.random.uuid(),
      correlationId: this.response.locals.correlationId,
      causationId: null,
      actor: this.actor,
    }
    return this.madeCaller
  }

  param(name: string): string {
    const value = this.request.params[name]
    return typeof value === 'string' ? value : ''
  }

  header(name: string): string | undefined {
    return this.request.get(name)
  }
}
