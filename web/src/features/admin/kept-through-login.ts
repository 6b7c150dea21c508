import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from 'react'
import { isLoggedOut } from '../../api/staff-session.ts'

const kept = new Map<string, unknown>()

/** State that a session which ends elsewhere does not take along: it is there again after the login. */
export function useKeptThroughLogin<T>(name: string, initial: T): [T, Dispatch<SetStateAction<T>>] {
  const [value, setValue] = useState(() => (kept.has(name) ? (kept.get(name) as T) : initial))
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  })
  useEffect(() => {
    kept.delete(name)
    return () => {
      if (isLoggedOut()) kept.set(name, latest.current)
    }
  }, [name])
  return [value, setValue]
}

export function forgetKept(): void {
  kept.clear()
}
