import { ADMIN_EMAIL, ADMIN_PASSWORD } from '../../src/testing/start-shop.ts'
import type { Buyer } from './buyer.ts'

/** Logs in at the open login form. */
export async function logInAsOwner({ page, press }: Buyer, password = ADMIN_PASSWORD): Promise<void> {
  await page.getByLabel('E-mail').fill(ADMIN_EMAIL)
  await page.getByLabel('Password').fill(password)
  await press('Login')
  await page.getByRole('navigation', { name: 'Admin sections' }).waitFor()
}

/** Goes to an address of the dashboard and logs in there. */
export async function logInAt(owner: Buyer, address: string): Promise<void> {
  await owner.page.goto(address)
  await logInAsOwner(owner)
}
