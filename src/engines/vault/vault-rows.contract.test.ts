import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, it } from 'vitest'
import { describeEach } from '../../testing/describe-unless.ts'
import { embeddedVaults, openVaultOf, type VaultEngine } from './testing/vaults.ts'
import { candidate, storedKey } from './testing/vault-steps.ts'
import type { Vault } from './vault.ts'
import type { VaultRow, VaultRows } from './vault-rows.ts'

function row(id: string, changes: Partial<VaultRow> = {}): VaultRow {
  const plain = { alias: undefined, since: undefined, value: '"a value"', version: 1, checksum: 7 }
  return { kind: 'customer', id, ...plain, ...changes }
}

export function vaultRowsContract(engine: VaultEngine): void {
  let rows: VaultRows

  beforeEach(() => {
    rows = engine.rows(engine.address())
    return async () => rows.close()
  })

  it('rows are read as they were written, each kind separately', async () => {
    const all = [row('a:b', { alias: 'x:y', since: 1_700_000_000_000, value: '"ä 0"' }), row('b')]
    const mark = row('b', { kind: 'mark', value: '"1"' })
    for (const one of [...all, mark]) expect(await rows.write(one, 'absent')).toBe(true)
    const read = await rows.read('customer', ['a:b', 'none', 'b'])
    expect(read.toSorted((one, other) => (one.id < other.id ? -1 : 1))).toEqual(all)
    expect(await rows.read('mark', ['b'])).toEqual([mark])
    expect(await rows.read('mark', [])).toEqual([])
  })

  it('a row is replaced only at the version that was read', async () => {
    const [first, second] = [row('a', { alias: 'x', since: 5 }), row('a', { version: 2 })]
    expect(await rows.write(second, 1)).toBe(false)
    expect(await rows.write(first, 'absent')).toBe(true)
    expect(await rows.write(second, 'absent')).toBe(false)
    expect(await rows.write(second, 2)).toBe(false)
    expect(await rows.write(second, 1)).toBe(true)
    expect(await rows.read('customer', ['a'])).toEqual([second])
    expect(await rows.byAlias('customer', 'x')).toEqual([])
    expect(await rows.since('customer', { before: 6, limit: 1 })).toEqual([])
  })

  it('of concurrent writers one succeeds', async () => {
    const offered = Array.from({ length: 20 }, (_, index) => row('a', { value: String(index) }))
    const written = await Promise.all(offered.map((one) => rows.write(one, 'absent')))
    expect(written.filter(Boolean)).toHaveLength(1)
    expect(await rows.read('customer', ['a'])).toEqual([offered[written.indexOf(true)]])
  })

  it('an alias is unique, and free once its row changes', async () => {
    await rows.write(row('a', { alias: 'x' }), 'absent')
    await rows.write(row('b'), 'absent')
    expect(await rows.write(row('c', { alias: 'x' }), 'absent')).toBe(false)
    expect(await rows.write(row('b', { alias: 'x', version: 2 }), 1)).toBe(false)
    expect(await rows.byAlias('mark', 'x')).toEqual([])
    await rows.write(row('a', { version: 2 }), 1)
    expect(await rows.write(row('b', { alias: 'x', version: 2 }), 1)).toBe(true)
    expect(await rows.byAlias('customer', 'x')).toEqual([row('b', { alias: 'x', version: 2 })])
  })

  it('the row with an alias is found, or else inserted', async () => {
    const [mine, yours] = [
      { ...row('a'), alias: 'x' },
      { ...row('b', { value: '"another"' }), alias: 'x' },
    ]
    expect(await rows.findOrInsert(mine)).toEqual(mine)
    expect(await rows.findOrInsert(yours)).toEqual(mine)
    expect(await rows.findOrInsert({ ...mine, alias: 'y' })).toBeUndefined()
    await rows.write(row('a', { alias: 'x 1', version: 2 }), 1)
    expect(await rows.findOrInsert(yours)).toEqual(yours)
    expect(await rows.read('customer', ['a', 'b'])).toHaveLength(2)
  })

  it('all aliases that begin with a word are found', async () => {
    const aliases = ['x', 'x 1', 'x 2', 'x1', 'xy', 'w', 'X']
    for (const [index, alias] of aliases.entries()) await rows.write(row(String(index), { alias }), 'absent')
    const found = (await rows.byAlias('customer', 'x')).map(({ alias }) => alias)
    expect(new Set(found)).toEqual(new Set(['x', 'x 1', 'x 2']))
  })

  it.for(['message', 'session'] as const)(
    'a row of a %s is deleted only at the version that was read',
    async (kind) => {
      const [first, second] = [row('a', { kind, alias: 'x', since: 5 }), row('a', { kind })]
      expect(await rows.delete(kind, 'a', 1)).toBe(false)
      await rows.write(first, 'absent')
      await rows.write(row('a'), 'absent')
      expect(await rows.delete(kind, 'a', 2)).toBe(false)
      expect(await rows.read(kind, ['a'])).toEqual([first])
      expect(await rows.delete(kind, 'a', 1)).toBe(true)
      expect(await rows.read(kind, ['a'])).toEqual([])
      expect(await rows.since(kind, { before: 6, limit: 1 })).toEqual([])
      expect(await rows.read('customer', ['a'])).toEqual([row('a')])
      expect(await rows.write({ ...second, alias: 'x' }, 'absent')).toBe(true)
    },
  )

  it('unfinished erasures are listed, the oldest first', async () => {
    for (const [at, id] of ['c', 'a', 'b'].entries()) await rows.write(row(id, { since: 10 - at }), 'absent')
    await rows.write(row('d'), 'absent')
    const idsOf = async (page: { before: number; limit: number }) =>
      (await rows.since('customer', page)).map(({ id }) => id)
    expect(await idsOf({ before: Infinity, limit: 10 })).toEqual(['b', 'a', 'c'])
    expect(await idsOf({ before: 10, limit: 10 })).toEqual(['b', 'a'])
    expect(await idsOf({ before: 10, limit: 1 })).toEqual(['b'])
    await rows.wipe()
  })
}

export function sharedVaultContract(engine: VaultEngine): void {
  let address: string

  beforeEach(() => {
    address = engine.address()
  })

  it('a write of another process is read at once', async () => {
    const [one, other] = [openVaultOf(engine, address), openVaultOf(engine, address)]
    const anna = await one.customerByEmail('anna', candidate())
    expect(await other.customerByEmail('anna', candidate())).toEqual(anna)
    expect((await other.keysOf([anna.customerId])).get(anna.customerId)).toEqual(anna.key)
    await one.deleteCustomers([anna.customerId])
    expect((await other.keysOf([anna.customerId])).get(anna.customerId)).toBe('erased')
    await Promise.all([one.close(), other.close()])
  })

  it('of two processes that change one note, one succeeds, and both read it until it is deleted', async () => {
    const [one, other] = [openVaultOf(engine, address), openVaultOf(engine, address)]
    const block = { id: 'block-1', value: { met: 0 }, due: 5 }
    await one.writeNote('block', block, 'absent')
    const met = { ...block, value: { met: 1 } }
    const changed = await Promise.all([one, other].map(async (vault) => vault.writeNote('block', met, 1)))
    expect(changed.filter(Boolean)).toHaveLength(1)
    expect(await other.dueNotes('block', { before: 6, limit: 9 })).toEqual([{ ...met, version: 2 }])
    expect(await other.deleteNote('block', { id: 'block-1', version: 2 })).toBe(true)
    await other.wipe()
    expect(await one.notes('block', ['block-1'])).toEqual([])
    await Promise.all([one.close(), other.close()])
  })

  it('two processes that race for the same e-mails get the same customers and secret', async () => {
    const count = 60
    const processes = [start(), start()]
    await Promise.all(processes.map(({ stdout }) => once(stdout, 'data')))
    for (const { stdin } of processes) stdin.write('go\n')
    const [found, foundByOther] = await Promise.all(processes.map(({ stdout }) => text(stdout)))
    expect(JSON.parse(found ?? '')).toHaveLength(count + 1)
    expect(found).toBe(foundByOther)

    function start(): ChildProcessWithoutNullStreams {
      const script = fileURLToPath(new URL('testing/ask-for-customers.ts', import.meta.url))
      const child = spawn(process.execPath, [script, engine.name, address, `${count}`])
      child.stderr.pipe(process.stderr)
      return child
    }
  })
}

/** Of an engine that keeps files. */
export function vaultFilesContract(engine: VaultEngine): void {
  let address: string
  let vault: Vault

  beforeEach(() => {
    address = engine.address()
    vault = openVaultOf(engine, address)
    return async () => vault.close()
  })

  it('no file has a byte of an erased key or e-mail', async () => {
    // Long ones, of which an engine moves many about, and always the same ones.
    const people = Array.from({ length: 200 }, (_, index) => hash('sha512', `d${index}`).repeat(3))
    const customers = await Promise.all(people.map((emailHmac) => vault.customerByEmail(emailHmac, candidate())))
    const erased = customers.filter((_, index) => !isKept(index))
    for (const { customerId } of erased) await vault.detachEmail(customerId, { erasureId: customerId, at: 0 })
    for (const { customerId } of erased) await vault.deleteCustomers([customerId])

    const files = filesWhileOpen()
    const kept = customers.filter((_, index) => isKept(index))
    expect(customers.filter((customer) => files.includes(storedKey(customer)))).toEqual(kept)
    expect(people.filter((emailHmac) => files.includes(emailHmac.slice(0, 40)))).toEqual(
      people.filter((_, index) => isKept(index)),
    )
  })

  it('no file has a byte of a deleted or replaced note after a wipe', async () => {
    const words = Array.from({ length: 40 }, (_, index) => hash('sha512', `n${index}`))
    for (const id of words) await vault.writeNote('block', { id, value: `of ${id}`, due: 1 }, 'absent')
    for (const [index, id] of words.entries())
      if (index % 3 === 0) await vault.deleteNote('block', { id, version: 1 })
      else if (index % 3 === 1) await vault.writeNote('block', { id, value: '', due: 1 }, 1)
    await vault.wipe()
    const files = filesWhileOpen()
    expect(words.filter((word) => files.includes(`of ${word}`))).toEqual(words.filter((_, index) => index % 3 === 2))
    expect(words.filter((word) => files.includes(word))).toEqual(words.filter((_, index) => index % 3 !== 0))
  })

  /** By another process: one that opens and closes SQLite's files itself would lose SQLite's locks on them. */
  function filesWhileOpen(): Buffer {
    const folder = path.dirname(address)
    const script = `for (const file of fs.readdirSync('.')) process.stdout.write(fs.readFileSync(file))`
    return execFileSync(process.execPath, ['-e', script], { cwd: folder, maxBuffer: 100_000_000 })
  }
}

function isKept(index: number): boolean {
  return index % 2 === 1
}

describeEach(embeddedVaults, 'vault rows contract', vaultRowsContract)
