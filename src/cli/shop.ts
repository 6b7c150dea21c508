import { runProgram } from './program.ts'
import { shopProgram } from './verbs.ts'

// Its files may name buyers.
process.umask(0o077)
await runProgram(shopProgram())
