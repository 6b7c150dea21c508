import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Deadline } from './deadline.tsx'

/** The text of the status region `leftS` seconds before the end. */
function announced(leftS: number): string {
  const until = new Date(Date.now() + leftS * 1_000 + 500).toISOString()
  const page = renderToString(createElement(Deadline, { until, what: 'Reserved for you until' }))
  return /<span role="status"[^>]*>(.*?)<\/span>/.exec(page)?.[1] ?? ''
}

it('a deadline announces its last five minutes and its end', () => {
  expect([301, 300, 60, 30, -1].map(announced)).toEqual([
    '',
    'Less than 5 min 00 s left to pay.',
    'Less than 1 min 00 s left to pay.',
    'Less than 30 s left to pay.',
    'The time to pay is over.',
  ])
})
