import { runProgram } from './program.ts'
import { shopProgram } from './verbs.ts'

await runProgram(shopProgram())
