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

reminderCrashSuite("SQLite in a file", inFile, { runs: 1 })
callCrashSuite("SQLite in a file", inFile, { runs: 1 })
bookingCrashSuite("SQLite in a file", inFile, { runs: 1 })
contactImportCrashSuite("SQLite in a file", inFile, { runs: 1 })
contactErasureCrashSuite("SQLite in a file", inFile, { runs: 1 })
callNodesSuite("SQLite in a file", inFile, { runs: 1 })
inboundCallsSuite("SQLite in a file", inFile, { runs: 1 })
fundLawSuite("SQLite in a file", inFile, { runs: 1 })
statisticLawSuite("SQLite in a file", inFile, { runs: 1 })
