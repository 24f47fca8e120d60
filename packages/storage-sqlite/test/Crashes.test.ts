import { bookingCrashSuite } from "@frontdesk/testing/suite/bookingCrashSuite"
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
import * as Path from "node:path"
import * as SqliteStorage from "@frontdesk/storage-sqlite/SqliteStorage"
import { folder } from "./SqlClientSuite.ts"

const inFile = Layer.unwrap(
  Effect.map(folder, (path) =>
    SqliteStorage.layer({ filename: Path.join(path, "frontdesk.db"), synchronous: "NORMAL" })
  )
)

reminderCrashSuite("SQLite in a file", inFile, { runs: 5 })
callCrashSuite("SQLite in a file", inFile, { runs: 5 })
bookingCrashSuite("SQLite in a file", inFile, { runs: 5 })
contactImportCrashSuite("SQLite in a file", inFile, { runs: 5 })
contactErasureCrashSuite("SQLite in a file", inFile, { runs: 5 })
callNodesSuite("SQLite in a file", inFile, { runs: 3 })
inboundCallsSuite("SQLite in a file", inFile, { runs: 2 })
fundLawSuite("SQLite in a file", inFile, { runs: 5 })
statisticLawSuite("SQLite in a file", inFile, { runs: 10 })
