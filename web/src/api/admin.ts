import type { Analytics, EraseResponse, Revenue, SecondFactorState, StaffSessions } from '#contract/admin.ts'
import type { BlockCreate, BlockList } from '#contract/blocks.ts'
import type { AsOfState } from '#contract/as-of.ts'
import type { MessagesState, MessagesTurnedOn, MessageWayState } from '#contract/messages.ts'
import type { OrderList, OrderListQuery } from '#contract/order-list-query.ts'
import type {
  AttentionSettlement,
  Done,
  HandOver,
  Order,
  RefundCreate,
  RefundSend,
  ToDeliverList,
  WaitingList,
} from '#contract/order.ts'
import type { ProviderStates, UnplacedList } from '#contract/provider.ts'
import type { ProductChange, ProductCreate } from '#contract/product.ts'
import type { MethodStates, PaymentSettings, SettingHistory, SettingsChange } from '#contract/settings.ts'
import type { ShopForStaff } from '#contract/shop.ts'
import useSWR, { mutate } from 'swr'
import { ApiError, expectPosition, get, patch, post, postForFile, remove } from './client.ts'
import { ORDER_STATUS_EVERY_MS, orderKey } from './orders.ts'
import { productsKey } from './settings.ts'
import { isStaffKey } from './staff-session.ts'
import { usePolled } from './swr.tsx'

/** Push revalidates at once; polling covers a lost connection. */
const STAFF_EVERY_MS = 30_000
const FOLDING_EVERY_MS = 1_000
const ROWS_PER_PAGE = 50
/** Limits a list to 1,000 rows. */
export const PAGES_MAX = 20

export type OrderQuery = Omit<OrderListQuery, 'limit' | 'cursor' | 'asOf'> & { readonly asOf?: string | undefined }

type OrderPages = OrderList & { readonly hasMore: boolean }

/** Staff data, now or as of the end of a past day, which is not polled. */
function useStaffData<T>(path: string, asOf?: string, everyMs = STAFF_EVERY_MS) {
  return usePolled<T>(atDay(path, asOf), asOf === undefined ? everyMs : 0)
}

function atDay(path: string, asOf: string | undefined): string {
  return asOf === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}asOf=${encodeURIComponent(asOf)}`
}

/** Starts folding the log up to the end of a past day and polls until the day is ready. */
export function usePastDay(day: string) {
  return useSWR<AsOfState, unknown>(`/api/admin/as-of?at=${encodeURIComponent(day)}`, {
    refreshInterval: (state) => (state?.is === 'ready' ? 0 : FOLDING_EVERY_MS),
    dedupingInterval: 0,
    revalidateOnMount: true,
  })
}

const providersKey = '/api/admin/providers'
const messagesKey = '/api/admin/messages'
const sessionsKey = '/api/admin/sessions'

export const useAnalytics = (asOf?: string) => useStaffData<Analytics>('/api/admin/analytics', asOf)
export const useRevenue = (asOf?: string) => useStaffData<Revenue>('/api/admin/revenue', asOf)
export const useOrderAt = (orderId: string, asOf?: string) =>
  useStaffData<Order>(orderKey(orderId), asOf, ORDER_STATUS_EVERY_MS)
export const useToDeliver = (asOf?: string) =>
  useStaffData<ToDeliverList>(`/api/admin/to-deliver?limit=${ROWS_PER_PAGE}`, asOf)
export const useWaitingForStock = (asOf?: string) =>
  useStaffData<WaitingList>('/api/admin/waiting-for-stock?limit=5', asOf)
/** Only the oldest orders, as in `useToDeliver`: others follow as these are settled. */
export const useAttention = (asOf?: string) =>
  useStaffData<OrderList>(listPath({ attention: 'any', direction: 'asc' }, 5), asOf)
/** The oldest first; others follow as these are paid back. */
export const useToPayBack = (asOf?: string) =>
  useStaffData<OrderList>(listPath({ toPayBack: 'true', direction: 'asc' }, ROWS_PER_PAGE), asOf)
/** For the number only: the command line lists and settles these payments. */
export const useUnplaced = (asOf?: string) => useStaffData<UnplacedList>('/api/admin/unplaced-payments?limit=1', asOf)
export const useShopForStaff = () => useStaffData<ShopForStaff>('/api/admin/shop')
/** Why methods cannot take money. Changes only when the server restarts. */
export const useMethodStates = () => useStaffData<MethodStates>('/api/admin/payment-methods')
export const useSettingChanges = () => useStaffData<SettingHistory>('/api/admin/setting-changes')
export const useMessages = () => useStaffData<MessagesState>(messagesKey)
export const useSecondFactor = () => useStaffData<SecondFactorState>('/api/admin/second-factor')
export const useStaffSessions = () => useStaffData<StaffSessions>(sessionsKey)
export const useBlocks = () => useStaffData<BlockList>('/api/admin/blocks')
export const useProviders = () => useStaffData<ProviderStates>(providersKey)

/** The first pages of a list, combined. A change moves orders between pages, so all pages are read again. */
export function useOrderList({ asOf, ...query }: OrderQuery, pages: number) {
  const path = atDay(listPath(query, ROWS_PER_PAGE), asOf)
  return usePolled<OrderPages>(`${path} ${pages}`, asOf === undefined ? STAFF_EVERY_MS : 0, {
    fetcher: async () => readPages(path, pages),
    keepPreviousData: true,
  })
}

/** All orders of a list; a search ends with its first 1,000. `goesOn` is asked with the number that was read. */
export async function readAllOrders(query: OrderQuery, goesOn: (read: number) => boolean): Promise<OrderPages> {
  return readPages(listPath(query, 100), Infinity, goesOn)
}

async function readPages(path: string, pages: number, goesOn?: (read: number) => boolean): Promise<OrderPages> {
  let page = await readList(path)
  // A new order moves others to the next page, so an order may be read twice.
  const orders = new Map(page.orders.map((order) => [order.id, order]))
  for (let read = 1; read < pages && page.next !== null && goesOn?.(orders.size) !== false; read += 1) {
    page = await readList(`${path}&cursor=${encodeURIComponent(page.next)}`)
    for (const order of page.orders) orders.set(order.id, order)
  }
  return { ...page, orders: [...orders.values()], hasMore: page.next !== null }
}

/** A search goes in the body: it may hold a buyer's e-mail, which must not stand in a URL. */
async function readList(path: string): Promise<OrderList> {
  const query = new URLSearchParams(path.split('?')[1])
  if (!query.has('search')) return get<OrderList>(path)
  return get<OrderList>(path, { at: '/api/admin/order-search', body: Object.fromEntries(query) })
}

function listPath(query: OrderQuery, limit: number): string {
  return `/api/orders?${parametersOf({ ...query, limit: String(limit) }).toString()}`
}

/** The path of a CSV file of the whole list, unless it is a search: see `downloadFound`. */
export function exportPath(query: OrderQuery): string {
  return `/api/orders.csv?${parametersOf(query).toString()}`
}

/** Saves the CSV file of a search, which has 1,000 orders at most. */
export async function downloadFound(query: OrderQuery): Promise<void> {
  const { name, content } = await postForFile('/api/orders.csv', Object.fromEntries(parametersOf(query)))
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 0)
}

function parametersOf(query: OrderQuery & Pick<OrderListQuery, 'limit'>): URLSearchParams {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  return new URLSearchParams(given as [string, string][])
}

/** Whether a push about staff data revalidates this key. A single order has its own topic. */
export function isReadAtPush(key: unknown): key is string {
  return isStaffKey(key) && !key.startsWith('/api/orders/')
}

/** Revalidates all staff data. After a push, responses must include the position of its event. */
export function refreshStaff(position?: string): void {
  void mutate((key) => {
    if (position === undefined) return isStaffKey(key)
    if (!isReadAtPush(key)) return false
    expectPosition(key.split(' ')[0] ?? key, position)
    return true
  })
}

/** The caller of this and of the next three refreshes the lists. */
export const approveOrder = async (orderId: string) => post<Done>('/api/complete-payment', { orderId })
export const markDelivered = async (orderId: string, noted: Omit<HandOver, 'orderId'> = {}) =>
  post<Done>('/api/process-order', { orderId, ...noted })

/** Refused if the order has changed since. */
export const settleAttention = async (orderId: string, settlement: AttentionSettlement) =>
  post<Order>(`${orderKey(orderId)}/settle-attention`, settlement)

/** Refused if the order has changed since. `coinsGiven` is required if the coins may have been given. */
export async function deleteOrder(
  { id, revision }: Pick<Order, 'id' | 'revision'>,
  coinsGiven?: string,
): Promise<void> {
  const said = coinsGiven === undefined ? '' : `&coinsGiven=${coinsGiven}`
  await remove(`${orderKey(id)}?revision=${revision}${said}`).catch((error: unknown) => {
    // Other staff have deleted it already.
    if (!(error instanceof ApiError && error.status === 404)) throw error
  })
}

export async function checkProviderKeys(provider: string): Promise<void> {
  const states = await post<ProviderStates>('/api/admin/providers/check-keys', { provider })
  await mutate(providersKey, states, { revalidate: false })
}

/** Resolves once the way has accepted a message to the owner. */
export async function sendTestMessage(way: Exclude<MessageWayState['name'], 'buyers'>): Promise<void> {
  await post('/api/admin/messages/test', { way })
}

export async function turnMessagesOn(): Promise<MessagesTurnedOn> {
  const answer = await post<MessagesTurnedOn>('/api/admin/messages/on', {})
  await mutate(messagesKey)
  return answer
}

/** `idempotencyKey` identifies a refund: retries use the same key. */
export const recordRefund = async (orderId: string, refund: RefundCreate, idempotencyKey: string) =>
  refreshStaffAfter(
    post<Order>(`${orderKey(orderId)}/refunds`, refund, { headers: { 'Idempotency-Key': idempotencyKey } }),
  )

/** `idempotencyKey` identifies a block: retries use the same key. */
export const blockBuyer = async (orderId: string, block: BlockCreate, idempotencyKey: string) =>
  refreshStaffAfter(post<Done>(`${orderKey(orderId)}/block`, block, { headers: { 'Idempotency-Key': idempotencyKey } }))
export const renewBlock = async (id: string) =>
  refreshStaffAfter(post<Done>(`/api/admin/blocks/${encodeURIComponent(id)}/renew`, {}))
export const unblockBuyer = async (id: string) =>
  refreshStaffAfter(remove(`/api/admin/blocks/${encodeURIComponent(id)}`))

async function refreshStaffAfter<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } finally {
    refreshStaff()
  }
}

export async function endSessions(ids: readonly string[]): Promise<void> {
  await post(`${sessionsKey}/end`, { ids })
  await mutate(sessionsKey)
}

/** Pays money back through the provider. Without a key, a repeat at the same revision sends nothing more. */
export async function sendRefund(orderId: string, refund: RefundSend, idempotencyKey?: string): Promise<Order> {
  const headers = idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }
  return refreshStaffAfter(post<Order>(`${orderKey(orderId)}/send-refund`, refund, { headers }))
}

/** Permanent. The server refuses while an order needs its buyer. */
export async function eraseCustomer(email: string): Promise<EraseResponse> {
  const response = await post<EraseResponse>('/api/admin/erase-customer', { email })
  refreshStaff()
  return response
}

/** `headers` hold the edited revision, or an idempotency key for the stock. */
export const changeSettings = async (change: SettingsChange, headers: Record<string, string>) =>
  patch<PaymentSettings>('/api/payment-settings', change, { headers })

export const createProduct = async (product: ProductCreate, idempotencyKey: string) =>
  refreshProductsAfter(post('/api/products', product, { headers: { 'Idempotency-Key': idempotencyKey } }))
export const changeProduct = async (productId: string, change: ProductChange) =>
  refreshProductsAfter(patch(`/api/products/${encodeURIComponent(productId)}`, change))
export const deleteProduct = async (productId: string) =>
  refreshProductsAfter(remove(`/api/products/${encodeURIComponent(productId)}`))

async function refreshProductsAfter(call: Promise<unknown>): Promise<void> {
  await call
  await mutate(productsKey)
}
