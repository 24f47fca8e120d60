import { MemoryStorage } from "@frontdesk/storage-memory"
import { modelSuite } from "@frontdesk/testing/suite/modelSuite"
import { storageSuite } from "@frontdesk/testing/suite/storageSuite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Path from "node:path"
import * as SqliteStorage from "../src/SqliteStorage.ts"
import { folder } from "./SqlClientSuite.ts"

/** A storage in a file of its own, gone when the layer is. */
const inFile = Layer.unwrap(
  Effect.map(folder, (folder) => SqliteStorage.layer({ filename: Path.join(folder, "frontdesk.db"), synchronous: "NORMAL" }))
)

const inMemory = SqliteStorage.layer({ filename: ":memory:" })

storageSuite("SQLite in a file", inFile)
storageSuite("SQLite in memory", inMemory)
modelSuite("SQLite in a file", inFile, MemoryStorage.layer)
