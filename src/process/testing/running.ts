/** A thread that runs this; `port` is the one of its parent. */
export function running(code: string): URL {
  const prelude = "import { parentPort as port } from 'node:worker_threads'\n"
  return new URL(`data:text/javascript,${encodeURIComponent(prelude + code)}`)
}
