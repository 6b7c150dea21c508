import * as z from 'zod/mini'
import { asOfQuery } from './as-of.ts'
import { charsMax, dayOrMoment } from './formats.ts'
import { attentionReason, flag, order, orderStatus, pageQuery, paymentMethod } from './order.ts'

/** `GET /api/orders`. */
export const orderList = z.object({
  orders: z.array(order),
  /** All orders that are not deleted. */
  total: z.number(),
  /** Matching orders, counted up to 10,000; up to 1,000 of a search or of several filters. */
  filtered: z.number(),
  filteredIsExact: z.boolean(),
  next: z.nullable(z.string()),
})
export type OrderList = z.infer<typeof orderList>

/** The query of `GET /api/orders`. */
export const orderListQuery = z.strictObject({
  search: z.optional(z.string().check(...charsMax(254))),
  status: z.optional(orderStatus),
  paymentMethod: z.optional(paymentMethod),
  attention: z.optional(z.union([z.literal('any'), attentionReason])),
  deleted: z.optional(flag),
  /** Staff have paid money back. */
  refunded: z.optional(flag),
  /** More money is held than the shop may keep, and no refund is under way. */
  toPayBack: z.optional(flag),
  from: z.optional(dayOrMoment),
  to: z.optional(dayOrMoment),
  sort: z.optional(z.enum(['createdAt', 'totalAmount'])),
  direction: z.optional(z.enum(['asc', 'desc'])),
  ...pageQuery.shape,
  ...asOfQuery.shape,
})
export type OrderListQuery = z.input<typeof orderListQuery>
/** The query after parsing. */
export type ParsedOrderListQuery = z.output<typeof orderListQuery>

/** `GET /api/orders.csv`: a header line, then a line per order. */
export const orderExport = z.string()

/** The query of `GET /api/orders.csv`: the same list without pages. */
export const orderExportQuery = z.omit(orderListQuery, { limit: true, cursor: true })

export type ParsedOrderExportQuery = z.output<typeof orderExportQuery>

/** Filters with fixed choices: not search, sorting, dates or pages. */
export type OrderListFilter = Exclude<
  keyof OrderListQuery,
  'search' | 'from' | 'to' | 'sort' | 'direction' | 'limit' | 'cursor' | 'asOf'
>
