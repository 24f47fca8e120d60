import * as DeliveryMutants from "@frontdesk/testing/mutant/delivery"
import { mutantSuite } from "@frontdesk/testing/mutant/mutantSuite"
import type { Storage } from "@frontdesk/testing/suite/Storage"
import { webhookDeletionSuite } from "@frontdesk/testing/suite/webhookDeletionSuite"
import * as SqliteStorage from "@frontdesk/storage-sqlite/SqliteStorage"

// The storage in memory deletes the deliveries of a webhook at once, so that its purge has nothing to do.
mutantSuite("DeliveryStore.purge", DeliveryMutants.purge, (mutate, runner) =>
  webhookDeletionSuite("SQLite", mutate<Storage, unknown, never>(SqliteStorage.layer({ filename: ":memory:" })), {
    runner
  })
)
