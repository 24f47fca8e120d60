import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import { OutboxTaskId, OutboxWork } from "@frontdesk/core/outbox/OutboxTask"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"
import { Database } from "../storage/Database.ts"

const Work = Column.json(Schema.toCodecJson(OutboxWork))

const encode = Schema.encodeSync(Work)

const TaskRow = Schema.Struct({ id: OutboxTaskId, attempts: Schema.Int, work: Work })

/** The outbox in a SQL database. */
export const layer: Layer.Layer<OutboxStore, never, Database> = Layer.effect(
  OutboxStore,
  Effect.map(Database, (database) => {
    const { dialect } = database
    const added = database.run("OutboxStore.add")
    const addText = `INSERT INTO outbox_task (due_at, work)
      SELECT ${dialect.instant("?1")}, ${dialect.document("record.work")}
      FROM ${dialect.records("record", "?2", { position: "integer", work: "text" })} ORDER BY record.position`
    const claimed = database.sound("OutboxStore.claim", TaskRow)
    const claimText = `UPDATE outbox_task SET attempts = attempts + 1, due_at = ?2 WHERE id IN (
        SELECT id FROM outbox_task WHERE error IS NULL AND due_at <= ?1 ORDER BY due_at, id LIMIT ?3${dialect.skipLocked}
      ) RETURNING id, attempts - 1 AS attempts, work`
    const completed = database.run("OutboxStore.complete")
    const postponed = database.run("OutboxStore.postpone")
    const abandoned = database.run("OutboxStore.abandon")
    const swept = database.all("OutboxStore.sweep", Column.Found)

    return OutboxStore.of({
      add: (work, now) =>
        work.length === 0
          ? Effect.void
          : added(addText, [
              dialect.time(now),
              JSON.stringify(work.map((one, position) => ({ position, work: encode(one) })))
            ]),
      claim: (now, leaseUntil, limit) =>
        Effect.map(claimed(claimText, [dialect.time(now), dialect.time(leaseUntil), limit]), (tasks) =>
          tasks.toSorted((a, b) => a.id - b.id)
        ),
      complete: (id) => completed("DELETE FROM outbox_task WHERE id = ?1", [id]),
      postpone: (id, until) => postponed("UPDATE outbox_task SET due_at = ?2 WHERE id = ?1", [id, dialect.time(until)]),
      abandon: (id, error) => abandoned("UPDATE outbox_task SET error = ?2 WHERE id = ?1", [id, error]),
      sweep: (before, limit) =>
        Effect.map(
          swept(
            `DELETE FROM outbox_task WHERE id IN (
              SELECT id FROM outbox_task WHERE error IS NOT NULL AND due_at < ?1 ORDER BY due_at, id LIMIT ?2
            ) RETURNING id`,
            [dialect.time(before), limit]
          ),
          (rows) => rows.length
        )
    })
  })
)
