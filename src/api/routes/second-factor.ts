import {
  confirmSession,
  newSecondFactor,
  removeSecondFactor,
  requireSecondFactor,
} from '../../commands/second-factor.ts'
import { adminEmail } from '../../commands/admin-password.ts'
import { type GivenCode, readFactor, type SecondFactor } from '../../shop/second-factor.ts'
import { shopName } from '../../shop/shop-facts.ts'
import type { Api } from '../api.ts'
import {
  recoveryCodes,
  secondFactor,
  secondFactorCode,
  secondFactorOn,
  secondFactorSecret,
  secondFactorStart,
} from '../contract/admin.ts'
import { done } from '../contract/order.ts'
import { type Route, sentenceBody, type StaffCall, staffRoute } from '../http/route.ts'

const codeOf = ({ body, browserId }: StaffCall<{ code: string }>): GivenCode => ({
  code: body.code,
  isKnownBrowser: browserId !== undefined,
})

/** Passwords and codes are tried here as at the login. */
const limitedBy =
  (limit: Api['loginLimit']) =>
  async <Result>(call: StaffCall, run: () => Promise<Result>): Promise<Result> => {
    await limit.count(call, call.session.adminId)
    const result = await run()
    await limit.reset(call)
    return result
  }

/** The owner's login codes: on, off, and how many recovery codes are left. */
export function secondFactorRoutes({ context, loginLimit }: Api): Route[] {
  const limited = limitedBy(loginLimit)
  return [
    staffRoute({
      id: 'getSecondFactor',
      method: 'get',
      path: '/api/admin/second-factor',
      summary: 'Whether a login needs a code.',
      answers: secondFactor,
      async handle() {
        const { factorId } = context.hot.admin.state
        const note = factorId === undefined ? undefined : await readFactor(context.vault, factorId)
        const recoveryCodesLeft = (note?.value as SecondFactor | undefined)?.recovery.length ?? 0
        return { body: { isOn: factorId !== undefined, recoveryCodesLeft } }
      },
    }),

    staffRoute({
      id: 'confirmSession',
      method: 'post',
      path: '/api/admin/second-factor',
      summary: 'For 15 minutes, this session may do what needs a code.',
      body: secondFactorCode,
      answers: done,
      async handle(call) {
        const { sessionId } = call.session
        const position = await limited(call, async () =>
          confirmSession(context, call.caller, { ...codeOf(call), sessionId }),
        )
        return { body: sentenceBody('This session is confirmed for 15 minutes.'), position }
      },
    }),

    staffRoute({
      id: 'startSecondFactor',
      method: 'post',
      path: '/api/admin/second-factor/start',
      summary: 'A secret for an authenticator app; in force once a code has confirmed it, within ten minutes.',
      body: secondFactorStart,
      answers: secondFactorSecret,
      async handle(call) {
        const { factorId, secret } = await limited(call, async () => newSecondFactor(context, call.body))
        const name = shopName(context)
        const label = encodeURIComponent(`${name}:${await adminEmail(context.vault)}`)
        const uri = `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(name)}`
        return { body: { factorId, secret, uri } }
      },
    }),

    staffRoute({
      id: 'turnSecondFactorOn',
      method: 'post',
      path: '/api/admin/second-factor/on',
      summary: 'From now on a login needs a code; answers the recovery codes, this once.',
      body: secondFactorOn,
      answers: recoveryCodes,
      async handle(call) {
        const { recoveryCodes: codes, position } = await limited(call, async () =>
          requireSecondFactor(context, call.caller, call.body),
        )
        return { body: { recoveryCodes: codes }, position }
      },
    }),

    staffRoute({
      id: 'turnSecondFactorOff',
      method: 'post',
      path: '/api/admin/second-factor/off',
      summary: 'A login needs no code any more; every session ends.',
      body: secondFactorCode,
      answers: done,
      async handle(call) {
        const position = await limited(call, async () => removeSecondFactor(context, call.caller, codeOf(call)))
        return { body: sentenceBody('Login codes are off.'), position }
      },
    }),
  ]
}
