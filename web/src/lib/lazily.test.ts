import { expect, it } from 'vitest'
import { lazily } from './lazily.ts'

const page = () => null

/** A chunk whose first loads fail. */
function chunk(failures: number) {
  let tries = 0
  const load = async () => {
    tries += 1
    if (tries <= failures) throw new TypeError('Failed to fetch dynamically imported module')
    return page
  }
  return { load, tries: () => tries }
}

it('a failed chunk is loaded once more, and then fails', async () => {
  const [cut, gone] = [chunk(1), chunk(2)]
  expect(await lazily(cut.load).preload()).toEqual({ default: page })
  await expect(lazily(gone.load).preload()).rejects.toThrow('Failed to fetch')
  expect(gone.tries()).toBe(2)
})
