import { expect, it } from 'vitest'
import {
  ERASED_STREAM,
  orderStream,
  PRODUCTS_STREAM,
  SETTINGS_STREAM,
  STOCK_STREAM,
} from '../../domain/stream-names.ts'
import { topicsOf } from './topics.ts'

it.for([
  [PRODUCTS_STREAM, ['products', 'staff']],
  [SETTINGS_STREAM, ['settings', 'pricing', 'products', 'staff']],
  [STOCK_STREAM, ['settings']],
  [orderStream('1'), ['order:1', 'staff']],
  [ERASED_STREAM, []],
  ['of-a-later-release', []],
] as const)('an event of %s is news for %j', ([stream, topics]) => expect(topicsOf(stream)).toEqual(topics))
