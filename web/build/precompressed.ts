import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

/** The server compresses the pages, once they hold the shop's words. */
const compressible = /\.(?:js|css|svg|txt)$/

/** Writes compressed copies (`.br`, `.gz`) of every text file of the build for the server to choose from. */
export function precompressed(): Plugin {
  return {
    name: 'precompressed',
    apply: 'build',
    writeBundle: {
      // Runs after the frames are written.
      order: 'post',
      sequential: true,
      handler: async ({ dir = '' }) => {
        const files = await readdir(dir, { recursive: true })
        await Promise.all(files.filter((file) => compressible.test(file)).map((file) => compress(join(dir, file))))
      },
    },
  }
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file)
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    promisify(gzip)(content, { level: 9 }),
  ])
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)])
}
