import { Fragment } from 'react'
import { inFours } from '../../lib/format.ts'

/** `ABCD 2345` to the eye; one word for those who hear it or copy it. */
export function InFours({ text, className = '' }: { text: string; className?: string }) {
  return (
    <span className={`font-mono ${className}`}>
      {inFours(text).map((part, index) => (
        <Fragment key={`${index}-${part}`}>
          {index > 0 && <wbr />}
          <span className={index > 0 ? 'ml-[0.4em]' : ''}>{part}</span>
        </Fragment>
      ))}
    </span>
  )
}
