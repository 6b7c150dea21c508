import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import { ConfirmDialog } from './confirm-dialog.tsx'

vi.hoisted(() => vi.stubGlobal('window', {}))

function shown(pending: string | false): string {
  const said = { title: 'Delete this order?', action: 'Delete', kind: 'danger', children: 'ash' } as const
  return renderToString(
    createElement(ConfirmDialog, { ...said, pending, onConfirm: () => undefined, onClose: () => undefined }),
  )
}

it('lets nothing be taken back while its calls are under way', () => {
  expect(shown(false)).not.toContain('aria-disabled="true"')
  expect(shown('Deleting...')).toMatch(/<button[^>]* aria-disabled="true"[^>]*>Cancel/)
})
