import { constants, setPriority } from 'node:os'
import { runOneOf } from './command-line.ts'
import { history } from './history/verbs.ts'

// A shop that sells on this machine comes first.
setPriority(constants.priority.PRIORITY_LOW)
await runOneOf(history)
