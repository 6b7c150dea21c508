import type { GatewayName } from '../../domain/payment-methods.ts'
import { CashfreeDouble } from '../cashfree/testing/cashfree-double.ts'
import type { DoubleOptions } from './double.ts'
import { NowPaymentsDouble } from '../nowpayments/testing/nowpayments-double.ts'
import { PaypalDouble } from '../paypal/testing/paypal-double.ts'
import { UpiGatewayDouble } from '../upigateway/testing/upigateway-double.ts'

export interface Doubles {
  readonly nowpayments: NowPaymentsDouble
  readonly paypal: PaypalDouble
  readonly upigateway: UpiGatewayDouble
  readonly cashfree: CashfreeDouble
}

/** The double of each gateway. */
export const doubles: { readonly [Name in GatewayName]: new (options?: DoubleOptions) => Doubles[Name] } = {
  nowpayments: NowPaymentsDouble,
  paypal: PaypalDouble,
  upigateway: UpiGatewayDouble,
  cashfree: CashfreeDouble,
}
