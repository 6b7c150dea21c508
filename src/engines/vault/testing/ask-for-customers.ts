import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { embeddedVaults, mongodbVaults, openVaultOf } from './vaults.ts'

// Started twice by the contract test: on a line of input, asks for the same customers as the other process.
const [engineName, address, count] = process.argv.slice(2)
const engine = [...embeddedVaults, ...mongodbVaults].find(({ name }) => name === engineName)
if (!engine || address === undefined) throw new Error('Usage: ask-for-customers.ts <engine> <address> <count>')

const vault = openVaultOf(engine, address)
process.stdout.write('ready\n')
await once(process.stdin, 'data')

const people = Array.from({ length: Number(count) }, (_, index) => `person-${index}`)
const found: string[] = []
// One after another, so that the two processes meet often.
for (const emailHmac of people) {
  const candidate = { customerId: randomBytes(16).toString('base64url'), key: randomBytes(32) }
  const { customerId, key } = await vault.customerByEmail(emailHmac, candidate)
  found.push(`${emailHmac} ${customerId} ${Buffer.from(key).toString('hex')}`)
}
const secret = await vault.secret('shared', randomBytes(32))
found.push(`secret ${Buffer.from(secret).toString('hex')}`)
await vault.close()
process.stdout.write(JSON.stringify(found))
process.stdin.destroy()
