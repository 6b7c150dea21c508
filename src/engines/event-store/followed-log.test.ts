import { expect, it } from 'vitest'
import { followedLog, type Subscription } from './followed-log.ts'

it('a followed log subscribes again after each subscription that is refused, fails or ends, until it is stopped', async () => {
  const heard: number[] = []
  const ended: number[] = []
  let [begun, drops] = [0, 0]
  const stopped = Promise.withResolvers<void>()

  async function subscribe(): Promise<Subscription<number>> {
    const number = (begun += 1)
    if (number === 1) throw new Error('away')
    async function* events() {
      yield number
      if (number === 2) throw new Error('cut')
      if (number === 4) await stopped.promise
    }
    const end = (): void => {
      ended.push(number)
      if (number === 4) stopped.resolve()
    }
    return { events: events(), end }
  }

  const followed = followedLog({ subscribe, onEvent: (event) => heard.push(event), onDrop: () => (drops += 1) })
  await expect.poll(() => heard).toEqual([2, 3, 4])
  await followed.stop()
  expect({ begun, drops, ended: new Set(ended) }).toEqual({ begun: 4, drops: 3, ended: new Set([2, 3, 4]) })
})
