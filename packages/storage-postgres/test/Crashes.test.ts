import { bookingCrashSuite } from "@frontdesk/testing/suite/bookingCrashSuite"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import { callCrashSuite } from "@frontdesk/testing/suite/callCrashSuite"
import { callNodesSuite } from "@frontdesk/testing/suite/callNodesSuite"
import { contactErasureCrashSuite } from "@frontdesk/testing/suite/contactErasureCrashSuite"
import { contactImportCrashSuite } from "@frontdesk/testing/suite/contactImportCrashSuite"
import { fundLawSuite } from "@frontdesk/testing/suite/fundLawSuite"
import { statisticLawSuite } from "@frontdesk/testing/suite/statisticLawSuite"
import { inboundCallsSuite } from "@frontdesk/testing/suite/inboundCallsSuite"
import { reminderCrashSuite } from "@frontdesk/testing/suite/reminderCrashSuite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"

const inDatabase = Layer.unwrap(
  Effect.map(TestDatabase.withTables, (url) => PostgresStorage.layer({ url: Redacted.make(url), maxConnections: 4 }))
)

reminderCrashSuite("PostgreSQL", inDatabase, { runs: 1 })
callCrashSuite("PostgreSQL", inDatabase, { runs: 1 })
bookingCrashSuite("PostgreSQL", inDatabase, { runs: 1 })
contactImportCrashSuite("PostgreSQL", inDatabase, { runs: 1 })
contactErasureCrashSuite("PostgreSQL", inDatabase, { runs: 1 })
callNodesSuite("PostgreSQL", inDatabase, { runs: 1 })
inboundCallsSuite("PostgreSQL", inDatabase, { runs: 1 })
fundLawSuite("PostgreSQL", inDatabase, { runs: 1 })
statisticLawSuite("PostgreSQL", inDatabase, { runs: 1 })
