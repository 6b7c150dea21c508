import type { Reservation } from '../../domain/inventory/inventory.ts'

const ID_BYTES = 16
/** 53 bits in groups of 7. */
const NUMBER_BYTES_MAX = 8
const RESERVATION_BYTES_MAX = ID_BYTES + 4 * NUMBER_BYTES_MAX

/**
 * Reservations as base64url, some 32 characters each: the order's id as 16 bytes, then serial and time as the difference to the one before, revision of the
 * claim and quantity; numbers in groups of 7 bits, lowest first.
 */
export function packed(reservations: readonly Reservation[]): string {
  const bytes = Buffer.alloc(reservations.length * RESERVATION_BYTES_MAX)
  let [place, lastSerial, lastMs] = [0, 0, 0]
  for (const { orderId, serial, claimAt, quantityM, at } of reservations.toSorted((a, b) => a.serial - b.serial)) {
    place += bytes.write(orderId.replaceAll('-', ''), place, 'hex')
    const ms = Date.parse(at)
    place = withNumber(bytes, place, serial - lastSerial)
    place = withNumber(bytes, place, claimAt)
    place = withNumber(bytes, place, quantityM)
    place = withNumber(bytes, place, unsigned(ms - lastMs))
    ;[lastSerial, lastMs] = [serial, ms]
  }
  return bytes.toString('base64url', 0, place)
}

/** The inverse of `packed`; undefined for any other text. */
export function packedReservations(text: string): Reservation[] | undefined {
  const bytes = Buffer.from(text, 'base64url')
  const reservations: Reservation[] = []
  let [place, serial, ms] = [0, 0, 0]
  const nextNumber = (): number => {
    let number = 0
    for (let factor = 1; place < bytes.length; factor *= 128) {
      const byte = bytes.readUInt8(place)
      place += 1
      number += (byte % 128) * factor
      if (byte < 128) return number
    }
    return Number.NaN
  }
  while (place < bytes.length) {
    const hex = bytes.toString('hex', place, place + ID_BYTES)
    place += ID_BYTES
    serial += nextNumber()
    const [claimAt, quantityM] = [nextNumber(), nextNumber()]
    ms += signed(nextNumber())
    if (![serial, claimAt, quantityM, ms].every(Number.isSafeInteger) || Number.isNaN(new Date(ms).getTime()))
      return undefined
    const orderId = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
    reservations.push({ orderId, claimAt, serial, quantityM, at: new Date(ms).toISOString() })
  }
  return reservations
}

/** Returns the next offset. */
function withNumber(bytes: Buffer, place: number, number: number): number {
  let rest = number
  let next = place
  for (; rest >= 128; rest = Math.floor(rest / 128), next += 1) bytes[next] = 128 + (rest % 128)
  bytes[next] = rest
  return next + 1
}

/** Clocks of two processes differ: a later reservation may carry an earlier time. */
function unsigned(number: number): number {
  return number < 0 ? -2 * number - 1 : 2 * number
}

function signed(number: number): number {
  return number % 2 === 1 ? -(number + 1) / 2 : number / 2
}
