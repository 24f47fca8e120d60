import { copySuite } from "./copySuite.ts"
import { useSamples } from "./copying.ts"

// DialectCopy.full.test.ts has the copies from one dialect to the other.
const samples = useSamples("SQLite", "PostgreSQL")

copySuite("SQLite", "SQLite", samples)
copySuite("PostgreSQL", "PostgreSQL", samples)
