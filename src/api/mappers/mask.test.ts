import { expect, it } from 'vitest'
import { byBuyerText } from '../../domain/order/buyer-texts.ts'
import { maskBuyer } from './mask.ts'

it.for([
  ['ash@example.test', 'ash', 'a…@e….test', 'a…h'],
  ['a@b', 'x', 'a…@b…', 'x…'],
  ['"odd@name"@mail.example.co.uk', 'zé', '"…@m….uk', 'z…é'],
  ['ünï@exämple.test', '🙂 smile 🎉', 'ü…@e….test', '🙂…🎉'],
] as const)(
  'the masked forms of %s and %s are enough to recognize one’s own',
  ([email, name, maskedEmail, maskedName]) => {
    expect(
      maskBuyer({ customerEmail: email, discordUsername: name, marketIds: [{ marketId: '12345678', amountM: 50 }] }),
    ).toEqual({
      customerEmail: maskedEmail,
      discordUsername: maskedName,
      marketIds: [{ marketId: '…78', amountM: 50 }],
    })
  },
)

it('an empty text is not masked', () =>
  expect(maskBuyer({ ...byBuyerText(() => ''), marketIds: [] })).toEqual({ ...byBuyerText(() => ''), marketIds: [] }))
