import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, platform, release, totalmem } from 'node:os'

/** What the figures were measured on, and of what. */
export interface Machine {
  readonly processor: string
  readonly cores: number
  readonly memoryGigabytes: number
  readonly system: string
  readonly node: string
  readonly sqlite: string
  readonly express: string
  readonly autocannon: string
  /** Of this shop; with a plus where files were changed since. */
  readonly commit: string
}

export function thisMachine(): Machine {
  const [first, ...others] = cpus()
  return {
    processor: first?.model.replaceAll(/\s+/g, ' ').trim() ?? 'unknown processor',
    cores: others.length + 1,
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()}`,
    node: process.versions.node,
    sqlite: process.versions['sqlite'] ?? 'unknown',
    express: versionOf('express'),
    autocannon: versionOf('autocannon'),
    commit: commit(),
  }
}

/** How what was answered survives a crash. */
export const DURABILITY =
  'log and vault: SQLite, write-ahead log, `synchronous=FULL` (and `fullfsync`): an answer waits for the disk, and what came in together shares one sync; ' +
  'views: `synchronous=NORMAL`, since they are built again from the log'

export function machineLines(machine: Machine): string[] {
  const { processor, cores, memoryGigabytes, system, node, sqlite, express, autocannon, commit: at } = machine
  return [
    `${processor}, ${cores} cores, ${memoryGigabytes} GB, ${system}; the load generator, the shop and its disk share them`,
    `Node ${node}, SQLite ${sqlite}, Express ${express}, autocannon ${autocannon}, shop at ${at}`,
  ]
}

function versionOf(name: string): string {
  const file = new URL(`../node_modules/${name}/package.json`, import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

function commit(): string {
  try {
    const cwd = new URL('..', import.meta.url)
    const git = (...words: string[]): string =>
      execFileSync('git', words, { cwd, encoding: 'utf8', stdio: 'pipe' }).trim()
    return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', '--', 'src') === '' ? '' : '+'}`
  } catch {
    return 'an unknown commit'
  }
}
