import { expect } from 'vitest'
import { codeAt, wrongCodeAt } from '../../src/testing/authenticator.ts'
import { ADMIN_EMAIL, ADMIN_PASSWORD } from '../../src/testing/start-shop.ts'
import type { Buyer } from './buyer.ts'
import { describeInBrowser, builtShop } from './in-browser.ts'
import { phone, wide } from './looks.ts'
import { logInAt } from './owner.ts'

const card = ({ page }: Buyer) => page.getByRole('region', { name: 'Login codes' })

/** After a logout. */
async function giveCredentials({ page, heading, press }: Buyer): Promise<void> {
  await heading('Admin Login').waitFor()
  await page.getByLabel('E-mail').fill(ADMIN_EMAIL)
  await page.getByLabel('Password').fill(ADMIN_PASSWORD)
  await press('Login')
}

async function giveCode({ page, press }: Buyer, code: string): Promise<void> {
  await page.getByLabel('Login code').fill(code)
  await press('Login')
}

const isIn = async ({ page }: Buyer) => page.getByRole('navigation', { name: 'Admin sections' }).waitFor()

describeInBrowser('login codes', builtShop(), (stage) => {
  const now = () => stage.shop.context.clock.now()

  async function turnOn(owner: Buyer): Promise<{ secret: string; recoveryCodes: readonly string[] }> {
    await logInAt(owner, '/admin/settings')
    await card(owner).getByLabel('Your password').fill('a guess')
    await card(owner).getByRole('button', { name: 'Set up' }).click()
    await card(owner).getByText('The current password is not right.').waitFor()
    await card(owner).getByLabel('Your password').fill(ADMIN_PASSWORD)
    await card(owner).getByRole('button', { name: 'Set up' }).click()
    await card(owner).getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    await owner.see('Admin Dashboard')
    const secret = (await card(owner).locator('code').innerText()).replaceAll(' ', '')
    await card(owner).getByLabel('Login code').fill(wrongCodeAt(secret, now()))
    await card(owner).getByRole('button', { name: 'Turn on' }).click()
    await card(owner).getByText('This code is wrong or was used already.').waitFor()
    await card(owner).getByLabel('Login code').fill(codeAt(secret, now()))
    await card(owner).getByRole('button', { name: 'Turn on' }).click()
    const codes = card(owner).getByRole('list', { name: 'Recovery codes' })
    await codes.waitFor()
    await owner.see('Admin Dashboard')
    const recoveryCodes = (await codes.innerText()).split(/\s+/)
    expect(recoveryCodes).toHaveLength(10)
    await card(owner).getByRole('button', { name: 'I have saved them' }).click()
    await card(owner).getByText('On, with 10 recovery codes left.').waitFor()
    await owner.see('Admin Dashboard')
    stage.shop.advance(60_000)
    return { secret, recoveryCodes }
  }

  stage.walk('the owner turns login codes on and logs in with one', [wide, phone], async (owner) => {
    const { secret } = await turnOn(owner)
    await owner.press('Logout')
    await giveCredentials(owner)
    await giveCode(owner, wrongCodeAt(secret, now()))
    await owner.page.getByText('This code is wrong or was used already.').waitFor()
    await owner.see('Admin Login')
    await giveCode(owner, codeAt(secret, now()))
    await isIn(owner)
  })

  stage.walk('the owner who lost the phone logs in with a recovery code and turns codes off', wide, async (owner) => {
    const { recoveryCodes } = await turnOn(owner)
    await owner.press('Logout')
    await giveCredentials(owner)
    await giveCode(owner, recoveryCodes[0] ?? '')
    await isIn(owner)
    await owner.page.goto(`${stage.shop.url}/admin/settings`)
    await card(owner).getByText('On, with 9 recovery codes left.').waitFor()
    await card(owner)
      .getByLabel('Login code')
      .fill(recoveryCodes[1] ?? '')
    await card(owner).getByRole('button', { name: 'Turn off' }).click()
    await giveCredentials(owner)
    await card(owner).getByLabel('Your password').waitFor()
  })

  stage.walk('a vault that lacks the secret refuses the login and names the way out', wide, async (owner) => {
    await turnOn(owner)
    await owner.press('Logout')
    const { vault, hot } = stage.shop.context
    const [note] = await vault.notes('second-factor', [hot.admin.state.factorId ?? ''])
    if (note) await vault.deleteNote('second-factor', note)
    await giveCredentials(owner)
    await owner.page.getByText('npm run shop -- admin reset-second-factor').waitFor()
    await owner.see('Admin Login')
  })

  stage.walk('an erasure asks for a code where the last one is old, and then goes on', [wide, phone], async (owner) => {
    const { page, press } = owner
    const { secret } = await turnOn(owner)
    await page.getByLabel('E-mail of the person').fill('ann@example.com')
    await press('Erase...')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Erase/ })
      .click()
    const asked = page.getByRole('dialog', { name: 'Enter a login code' })
    await asked.getByLabel('Login code').fill(wrongCodeAt(secret, now()))
    await asked.getByRole('button', { name: 'Continue' }).click()
    await asked.getByText('This code is wrong or was used already.').waitFor()
    await owner.see('Admin Dashboard')
    await asked.getByLabel('Login code').fill(codeAt(secret, now()))
    await asked.getByRole('button', { name: 'Continue' }).click()
    await asked.waitFor({ state: 'detached' })
    await page
      .getByText(/no order|nobody|not found|no person/i)
      .first()
      .waitFor()
    expect((await stage.shop.eventsOf('admin-owner')).at(-1)?.type).toBe('SessionConfirmed')
  })
})
