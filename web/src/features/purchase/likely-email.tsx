import { useState } from 'react'
import { emailIn, likelyEmail } from '#contract/typed-text.ts'
import { Button } from '../../components/ui/button.tsx'
import { Notice } from '../../components/ui/notice.tsx'
import { changeDraft } from './draft-store.ts'

/** Addresses that the buyer has been asked about. */
const asked = new Set<string>()

/** Asks once about an address that looks like a slip. `ask` says whether the buyer must see the question first. */
export function useLikelyEmail(typed: string) {
  const email = emailIn(typed)
  const likely = likelyEmail(email)
  const [askedNow, setAskedNow] = useState<string>()
  return {
    ask(): boolean {
      if (likely === undefined || asked.has(email)) return false
      asked.add(email)
      setAskedNow(email)
      return true
    },
    question: likely !== undefined && askedNow === email && <LikelyEmail email={email} likely={likely} />,
  }
}

function LikelyEmail({ email, likely }: { email: string; likely: string }) {
  return (
    <Notice tone="wait" title={`Did you mean ${likely.slice(likely.lastIndexOf('@') + 1)}?`} role="alert">
      <p>You entered {email}. If that is right, continue.</p>
      <p>
        <Button onClick={() => changeDraft({ customerEmail: likely })}>Use {likely}</Button>
      </p>
    </Notice>
  )
}
