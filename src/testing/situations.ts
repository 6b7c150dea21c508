import { situationsTable } from '../domain/testing/order-situations.ts'

// The table of src/domain/testing/order-situations.txt, as the rules are now.
process.stdout.write(situationsTable())
