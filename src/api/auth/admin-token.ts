import { jwtVerify, SignJWT } from 'jose'
import * as z from 'zod/mini'
import { SESSION_HOURS } from '../../commands/log-in-admin.ts'

/** A token only names a session; the log decides whether the session is still open. */
interface AdminToken {
  readonly adminId: string
  readonly sessionId: string
  /** ISO time. */
  readonly beganAt: string
}

const claims = z.object({ sub: z.string(), sid: z.string(), began: z.string() })
const ALGORITHM = 'HS256'
const ISSUER = 'coinshop'

export type AdminTokens = ReturnType<typeof adminTokens>

export function adminTokens({ secret, now }: { secret: Uint8Array; now: () => number }) {
  return {
    sign: async ({ adminId, sessionId, beganAt }: AdminToken): Promise<string> =>
      new SignJWT({ sid: sessionId, began: beganAt })
        .setProtectedHeader({ alg: ALGORITHM })
        .setIssuer(ISSUER)
        .setSubject(adminId)
        .setIssuedAt(new Date(beganAt))
        .setExpirationTime(new Date(Date.parse(beganAt) + SESSION_HOURS * 3_600_000))
        .sign(secret),
    /** Undefined if it was not signed here or has expired. */
    async read(text: string): Promise<AdminToken | undefined> {
      const options = { algorithms: [ALGORITHM], issuer: ISSUER, currentDate: new Date(now()) }
      const verified = await jwtVerify(text, secret, options).catch(() => undefined)
      const parsed = claims.safeParse(verified?.payload)
      if (!parsed.success) return undefined
      const { sub: adminId, sid: sessionId, began: beganAt } = parsed.data
      return { adminId, sessionId, beganAt }
    },
  }
}
