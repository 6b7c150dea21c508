import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { lucideIcons } from './build/icons.ts'
import { framePages } from './build/frames.ts'
import { precompressed } from './build/precompressed.ts'

/** The development server serves the page itself, without the shop's words. */
function unmarked(): Plugin {
  return { name: 'unmarked', apply: 'serve', transformIndexHtml: (html) => html.replaceAll(/\{\{shop\.\w+\}\}/g, '') }
}

const api = process.env['API_URL'] ?? 'http://localhost:3000'
const root = fileURLToPath(new URL('.', import.meta.url))

export default defineConfig({
  root,
  plugins: [react(), lucideIcons(), tailwindcss(), framePages(), precompressed(), unmarked()],
  build: {
    outDir: fileURLToPath(new URL('../dist/web', import.meta.url)),
    emptyOutDir: true,
    target: 'es2023',
    // A chunk names at most two small ones besides those that are loaded: its helper would be larger.
    modulePreload: false,
    // The content security policy blocks data: URLs.
    assetsInlineLimit: 0,
    manifest: true,
    // Modules that most screens share become one chunk, to save requests on slow connections. Dialogs and QR codes load when shown.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'shared',
              test: /^(?!.*(?:dialog\.tsx|qr-code\.tsx|\/uqr\/))/,
              minShareCount: 3,
              maxModuleSize: 100_000,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': api, '/pay': api } },
})
