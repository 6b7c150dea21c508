import type { Order } from '#contract/order.ts'

interface OrderTickProps {
  order: Order
  isTicked: boolean
  onTick: (order: Order, isTicked: boolean) => void
}

export function OrderTick({ order, isTicked, onTick }: OrderTickProps) {
  return (
    <label className="grid size-7 flex-none place-items-center">
      <input
        type="checkbox"
        className="size-4.5"
        checked={isTicked}
        onChange={(event) => onTick(order, event.currentTarget.checked)}
      />
      <span className="sr-only">Select order {order.orderNumber}</span>
    </label>
  )
}
