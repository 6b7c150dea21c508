import type { BadAnswer } from './double-server.ts'

export const badAnswers: readonly BadAnswer[] = [
  '500',
  '429',
  'html',
  'lost',
  'huge',
  'nonsense',
  'redirect',
  'forbidden',
  'slow',
]

/** Time-out of the tested provider; good answers take less, also on a busy machine. */
export function timeoutFor(answer: BadAnswer): number {
  return answer === 'slow' ? 1_000 : 10_000
}
