import { runProgram } from './program.ts'
import { shopProgram } from './verbs.ts'

// Files that a command writes may name buyers, so only this user may read them.
process.umask(0o077)
await runProgram(shopProgram())
