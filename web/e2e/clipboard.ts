import type { Buyer } from './buyer.ts'

/** The clipboard's text. The browser writes it some time after the press on a button. */
export async function clipboardOf({ page }: Pick<Buyer, 'page'>): Promise<string> {
  return page.evaluate(async () => navigator.clipboard.readText())
}
