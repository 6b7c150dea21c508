import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Shop } from '../shop/shop.ts'
import { EMAIL, erasingScene, MINUTE_MS } from './erasing-scene.ts'

const actors = ['place', 'place too', 'erase', 'erase too', 'sweep', 'cancel'] as const

const plays = fc.record({
  choices: fc.array(fc.nat(5), { minLength: 20, maxLength: 300 }),
  hasOrderedBefore: fc.boolean(),
  cast: fc.subarray([...actors], { minLength: 2 }),
  killed: fc.array(fc.record({ actor: fc.constantFrom(...actors), atStep: fc.nat(40) }), { maxLength: 2 }),
})

describe('a person who orders while she is erased', () => {
  it(
    'has no open order that nobody can read, whoever is faster or dies, and is erased in the end',
    { timeout: 120_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(plays, async ({ choices, hasOrderedBefore, cast, killed }) => {
          const shop = await erasingScene(1)
          if (hasOrderedBefore) await shop.complete(await shop.place(shop.main))
          const acts: Record<(typeof actors)[number], (thread: Shop) => Promise<unknown>> = {
            place: shop.place,
            'place too': shop.place,
            erase: (thread) => shop.erase(thread),
            'erase too': (thread) => shop.erase(thread),
            sweep: shop.endOpenReservations,
            cancel: shop.cancelAll,
          }
          const threads = new Map(cast.map((actor) => [actor, acts[actor](shop.shopOf(actor))]))
          let step = 0
          await shop.turns.run(
            threads,
            (count) => (choices[step % choices.length] ?? 0) % Math.max(count, 1),
            async () => {
              step += 1
              for (const { actor, atStep } of killed) if (atStep === step) shop.turns.kill(actor)
              expect(await shop.unreadable()).toEqual([])
            },
          )

          shop.pass(10 * MINUTE_MS)
          await shop.endOpenReservations(shop.main)
          await shop.finishAll()
          expect(await shop.unreadable()).toEqual([])
          expect((await shop.register()).left).toEqual([])

          await shop.cancelAll(shop.main)
          await shop.finishAll()
          await shop
            .erase(shop.main)
            .catch((error: unknown) => expect(error).toMatchObject({ code: 'customer/not-found' }))
          expect(await shop.vault.customersByEmail(shop.keys.emailHmacs(EMAIL)[0])).toEqual([])
          const { orders, problems } = await shop.books()
          expect(problems).toEqual([])
          const buyers = [...orders.values()].map(({ placed }) => placed.customerId)
          expect(new Set((await shop.register()).ids)).toEqual(new Set([...(await shop.register()).ids, ...buyers]))
        }),
        { numRuns: Number(process.env['ERASING_RUNS'] ?? 300) },
      )
    },
  )
})
