import { expect, it } from 'vitest'
import { screenAt } from './toast.ts'

const at = (address: string) => screenAt(new URL(address, 'https://shop.test'))

it('takes each tab of the desk, and each step of the wizard, for a screen', () => {
  expect(new Set(['/admin', '/admin/orders', '/admin/settings'].map(at)).size).toBe(3)
  expect(at('/admin/orders?search=ash')).toBe(at('/admin/orders'))
  expect(at('/purchase?step=2')).not.toBe(at('/purchase?step=3'))
})
