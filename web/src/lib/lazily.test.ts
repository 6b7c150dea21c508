import { expect, it } from 'vitest'
import { lazily } from './lazily.ts'

const page = () => null

/** A chunk that cannot be loaded so many times. */
function chunk(failures: number) {
  let tries = 0
  const load = async () => {
    tries += 1
    if (tries <= failures) throw new TypeError('Failed to fetch dynamically imported module')
    return page
  }
  return { load, tries: () => tries }
}

it('loads a chunk once more, and then gives up', async () => {
  const [cut, gone] = [chunk(1), chunk(2)]
  expect(await lazily(cut.load).preload()).toEqual({ default: page })
  await expect(lazily(gone.load).preload()).rejects.toThrow('Failed to fetch')
  expect(gone.tries()).toBe(2)
})
