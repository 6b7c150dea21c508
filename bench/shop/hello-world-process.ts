import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { endWithBench } from './leftovers.ts'

const SCRIPT = fileURLToPath(new URL('../hello-world.ts', import.meta.url))

export interface HelloWorld {
  readonly url: string
  stop(): void
}

/** The server that everything is told as a ratio to, in a process of its own on the same Node. */
export async function startHelloWorld(): Promise<HelloWorld> {
  const child: ChildProcess = spawn(process.execPath, [SCRIPT], { stdio: ['ignore', 'pipe', 'inherit'] })
  const forget = endWithBench(() => void child.kill('SIGKILL'))
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`hello-world did not start (exit code ${code})`)))
    if (child.stdout) createInterface({ input: child.stdout }).once('line', resolve)
  })
  return {
    url,
    stop() {
      child.kill()
      forget()
    },
  }
}
