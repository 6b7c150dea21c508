import { it } from 'vitest'
import { examplesOf } from '../testing/examples.ts'
import { block } from './block.ts'

const { emits, ignores } = examplesOf(block)

const by = { blockId: 'block-1', adminId: 'owner', at: '2026-03-01T12:00:00.000Z' }
const data = { ...by, reason: 'chargeback' } as const
const blocking = { type: 'BlockBuyer', block: data } as const
const blocked = { type: 'BuyerBlocked', data } as const
const unblocking = { type: 'UnblockBuyer', end: by } as const
const unblocked = { type: 'BuyerUnblocked', data: by } as const

it('blocking a buyer is recorded with its reason', () => emits([], blocking, blocked))
it('unblocking is recorded', () => emits([blocked], unblocking, unblocked))
it('a block is unblocked once', () => ignores([blocked, unblocked], unblocking))
it('a block that has ended does not come back', () => ignores([blocked, unblocked], blocking))
