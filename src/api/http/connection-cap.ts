import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { networksOf } from '../auth/address.ts'
import { NETWORK_FACTORS } from '../auth/network-rate-limit.ts'

/** A mobile network has many buyers behind one address; a browser opens six, and one for push. */
const PER_ADDRESS_MAX = 500

/**
 * Closes connections above a bound per socket address (IPv6: per /64, /56 and /48), so that a few machines cannot use up the server's connections.
 * A trusted proxy carries everyone's connections and is not counted.
 */
export function capConnections(
  server: Server,
  { isTrusted, max = PER_ADDRESS_MAX }: { isTrusted: (address: string) => boolean; max?: number },
): void {
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined || isTrusted(remoteAddress)) return
    const networks = networksOf(remoteAddress)
    if (networks.some((network, width) => (open.get(network) ?? 0) >= max * (NETWORK_FACTORS[width] ?? 1))) {
      socket.destroy()
      return
    }
    for (const network of networks) open.set(network, (open.get(network) ?? 0) + 1)
    socket.once('close', () => {
      for (const network of networks) {
        const left = (open.get(network) ?? 1) - 1
        if (left > 0) open.set(network, left)
        else open.delete(network)
      }
    })
  })
}
