import type { Api } from '../api.ts'
import type { AsOfQuery } from '../contract/as-of.ts'
import { RequestError } from '../http/errors.ts'
import type { Call } from '../http/route.ts'
import type { Views } from '../../projections/shop-views.ts'
import type { PastDay } from './past-days.ts'

interface ViewsAt {
  readonly views: Views
  /** Undefined for now. */
  readonly past: PastDay | undefined
}

/** The views for a read: the current ones, or those of the day `asOf`. */
export async function viewsAt(
  api: Pick<Api, 'pastDays'>,
  call: Pick<Call, 'views'>,
  asOf: AsOfQuery['asOf'],
): Promise<ViewsAt> {
  if (asOf === undefined) return { views: await call.views(), past: undefined }
  const past = await api.pastDays.look(asOf)
  if ('views' in past) return { views: past.views, past }
  const message = `The shop is being read up to ${asOf}. Please try again in a moment.`
  throw new RequestError('as-of/folding', message, { details: { ...past }, retryAfterS: 1 })
}
