import { situationsTable } from '../domain/testing/order-situations.ts'

// The table of docs/order-situations.md, as the rules are now.
process.stdout.write(situationsTable())
