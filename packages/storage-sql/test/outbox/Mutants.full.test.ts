import { mutantSuite } from "@frontdesk/testing/mutant/mutantSuite"
import { unreadableTask } from "@frontdesk/testing/mutant/unreadableTask"
import type { Storage } from "@frontdesk/testing/suite/Storage"
import { unreadableTaskSuite } from "@frontdesk/testing/suite/unreadableTaskSuite"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type { SqlClient } from "effect/sql/SqlClient"
import { databases } from "../databases.ts"
import { damage } from "./damage.ts"

// The storage in memory has no task that cannot be read.
for (const [dialect, storage] of databases) {
  mutantSuite(`OutboxStore with tasks that cannot be read, on ${dialect}`, unreadableTask, (mutate, runner) =>
    unreadableTaskSuite(dialect, mutate<Storage | SqlClient, never, never>(Layer.merge(storage, Logger.layer([]))), {
      damage,
      runner
    })
  )
}
