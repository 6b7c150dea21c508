import type { Api } from '../api.ts'
import { assertStillStaff } from '../auth/require-admin.ts'
import type { AsOfQuery } from '../contract/as-of.ts'
import type { Call } from '../http/route.ts'
import type { Views } from '../../projections/views.ts'
import type { PastDay } from './past-days.ts'

export interface ViewsAt {
  readonly views: Views
  /** Undefined: now. */
  readonly past: PastDay | undefined
}

/** The views that a read asks: those of now, or of its day, for which it waits. */
export async function viewsAt(
  api: Api,
  call: Pick<Call<unknown, AsOfQuery>, 'query' | 'sessionCheck' | 'views'>,
): Promise<ViewsAt> {
  const { asOf } = call.query
  if (asOf === undefined) return { views: await call.views(), past: undefined }
  const past = await api.pastDays.read(asOf)
  assertStillStaff(api.shop, call.sessionCheck)
  return { views: past.views, past }
}
