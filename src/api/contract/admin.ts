import * as z from 'zod/mini'
import { order, paymentMethod } from './order.ts'
import { charsMax, seenPattern } from './formats.ts'
import { trimmed } from './typed-text.ts'

const password = z.string().check(z.minLength(1), ...charsMax(1_000))

const code = z.string().check(z.overwrite(trimmed), z.minLength(1, 'Enter the code.'), ...charsMax(64))

export const loginRequest = z.strictObject({
  email: z.string().check(...charsMax(254), z.overwrite(trimmed), z.minLength(1), seenPattern),
  password,
  /** Where a second factor is on: of the authenticator app, or a recovery code. Without it, 401 `admin/code-needed`. */
  code: z.optional(code),
})
export type LoginRequest = z.infer<typeof loginRequest>

export const loginResponse = z.object({ success: z.boolean(), token: z.optional(z.string()), message: z.string() })
export type LoginResponse = z.infer<typeof loginResponse>

export const logoutRequest = z.optional(z.strictObject({}))

export const verifyResponse = z.object({
  authenticated: z.boolean(),
  /** The session ended because the password was changed. */
  passwordChanged: z.optional(z.boolean()),
})
export type VerifyResponse = z.infer<typeof verifyResponse>

export const passwordChange = z.strictObject({
  currentPassword: password,
  newPassword: z.string().check(z.minLength(10, 'A password has at least 10 characters.'), ...charsMax(1_000)),
})
export type PasswordChange = z.infer<typeof passwordChange>

export const secondFactor = z.object({
  isOn: z.boolean(),
  recoveryCodesLeft: z.number(),
})
export type SecondFactorState = z.infer<typeof secondFactor>

export const secondFactorStart = z.strictObject({ currentPassword: password })

/** The secret and its `otpauth` address are answered this once. */
export const secondFactorSecret = z.object({ factorId: z.string(), secret: z.string(), uri: z.string() })
export type SecondFactorSecret = z.infer<typeof secondFactorSecret>

export const secondFactorOn = z.strictObject({ factorId: z.uuid(), code })
export const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })
export type RecoveryCodes = z.infer<typeof recoveryCodes>

export const secondFactorCode = z.strictObject({ code })

const staffSession = z.object({
  id: z.string(),
  /** `Firefox on Windows`, in a /24 or /48; null until its next call. */
  browser: z.nullable(z.string()),
  network: z.nullable(z.string()),
  firstSeen: z.string(),
  lastSeen: z.string(),
  /** The session of this call. */
  isThis: z.boolean(),
})
export const staffSessions = z.object({ sessions: z.array(staffSession) })
export type StaffSessions = z.infer<typeof staffSessions>

export const sessionEnds = z.strictObject({ ids: z.array(z.uuid()).check(z.maxLength(100)) })

export const eraseRequest = z.strictObject({
  email: z.string().check(...charsMax(254), z.overwrite(trimmed), z.minLength(1), z.regex(/@/)),
})

export const eraseResponse = z.object({
  success: z.boolean(),
  /** False while an order of this person is being placed; the erasure then continues by itself within minutes. */
  erased: z.boolean(),
  message: z.string(),
})
export type EraseResponse = z.infer<typeof eraseResponse>

export const analytics = z.object({
  /** Dollars of completed, undeleted orders, less refunds, without fees. */
  totalRevenue: z.number(),
  totalOrders: z.number(),
  /** Millions. */
  totalPokecoins: z.number(),
  totalCustomers: z.number(),
  /** Oldest first; `month` is `2026-01` in the shop's time zone. */
  monthlyRevenue: z.array(z.object({ month: z.string(), revenue: z.number() })),
  recentOrders: z.array(order),
  /** Orders paid but not delivered; of the figures above, only `totalOrders` includes them. */
  undelivered: z.object({
    orders: z.number(),
    /** Dollars, without fees. */
    total: z.number(),
    /** Millions. */
    pokecoins: z.number(),
    /** False if there are too many to add up. */
    isWhole: z.boolean(),
  }),
  /** Millions reserved by unpaid orders. */
  unpaidPokecoins: z.number(),
})
export type Analytics = z.infer<typeof analytics>

/** `GET /api/admin/revenue`: dollars as in the analytics, and numbers of completed, undeleted orders. */
export const revenue = z.object({
  /** The last 366 days with sales or refunds, oldest first; in the shop's time zone. */
  days: z.array(z.object({ day: z.string(), revenue: z.number(), orders: z.number() })),
  /** By the method last chosen; null if none. */
  methods: z.array(z.object({ method: z.nullable(paymentMethod), revenue: z.number(), orders: z.number() })),
})
export type Revenue = z.infer<typeof revenue>
