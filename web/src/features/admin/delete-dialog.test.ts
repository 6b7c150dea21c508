import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, it } from 'vitest'
import { DeleteDialog } from './delete-dialog.tsx'

const none = () => undefined

it('names each order that it would delete', () => {
  const orders = ['E42K', 'X91C'].map((orderNumber) => ({
    id: orderNumber,
    orderNumber,
    discordUsername: `buyer-${orderNumber}`,
    pokecoinAmount: 60,
  }))
  const dialog = renderToString(
    createElement(DeleteDialog, { orders, note: undefined, onDeleted: none, onClose: none }),
  )
  for (const { discordUsername } of orders) expect(dialog).toContain(discordUsername)
})
