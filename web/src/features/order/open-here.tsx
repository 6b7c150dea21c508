import { useState } from 'react'
import { openOrder } from '../../api/orders.ts'
import { Button } from '../../components/ui/button.tsx'
import { Notice } from '../../components/ui/notice.tsx'
import { useAction } from '../../components/ui/use-action.ts'

/** Offers who came by a mailed link to see the order as in the browser that placed it. A button, since mail scanners follow links. */
export function OpenHere({ orderId, token }: { orderId: string; token: string }) {
  const [isOpen, setOpen] = useState(false)
  const { run, isBusy } = useAction(async () => {
    await openOrder(orderId, token)
    setOpen(true)
  }, 'Not opened')
  if (isOpen) return null
  return (
    <Notice title="This is your order">
      <p>Open it in this browser to see your e-mail address, your username and your market IDs, and to cancel it.</p>
      <div>
        <Button onClick={() => run()} pending={isBusy && 'Opening…'}>
          Open my order here
        </Button>
      </div>
    </Notice>
  )
}
