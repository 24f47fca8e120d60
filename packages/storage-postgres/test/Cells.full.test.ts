import * as Cell from "@frontdesk/core/access/Cell"
import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import { storageSuite } from "@frontdesk/testing/suite/storageSuite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"

// The ids of the highest cell are the largest: any place that stores or compares them as smaller numbers fails here.
const highest = Cell.Cell.make(8191)

storageSuite(
  "PostgreSQL in the highest cell",
  Layer.unwrap(
    Effect.map(TestDatabase.withTablesInCell(highest), (url) =>
      PostgresStorage.layer({ url: Redacted.make(url), cell: highest })
    )
  )
)
