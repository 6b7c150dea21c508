import type { Buyer } from './buyer.ts'

/** What the clipboard holds. The browser writes it some time after a button was pressed. */
export async function copied({ page }: Pick<Buyer, 'page'>): Promise<string> {
  return page.evaluate(async () => navigator.clipboard.readText())
}
