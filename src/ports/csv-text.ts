/** `;` or a tab, and what a spreadsheet takes for the begin of a formula. */
const INNER_FORMULA = /([;\t]\s*)(?=[=+\-@＝＋－＠])/g

/**
 * A text for a CSV cell. A spreadsheet that splits at `;` or tabs ignores quotes inside its cells, and would run what follows as a formula: an apostrophe
 * makes it text. The CSV writer escapes formulas at the begin of a cell.
 */
export function csvText(text: string): string {
  return text.replaceAll(INNER_FORMULA, "$1'")
}
