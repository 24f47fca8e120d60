import { nothingTaken, OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import { eventIdOf, lineOf, type OutboxLease, type OutboxTask, unreadable } from "@frontdesk/core/outbox/OutboxTask"
import * as Option from "effect/Option"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { FrontLength } from "../claim/Claim.ts"
import * as SweepStatement from "../storage/SweepStatement.ts"
import * as Column from "../storage/Column.ts"
import { Database } from "../storage/Database.ts"
import { undecoded } from "../storage/DatabaseFailure.ts"
import * as DeadLetters from "./DeadLetters.ts"
import * as OutboxClaim from "./OutboxClaim.ts"
import * as OutboxWorkColumn from "./OutboxWorkColumn.ts"

/** The condition that a task is still claimed under a lease. Its parameters are those of `lease`. */
const isClaimed = "id = ?1 AND attempts = ?2"

/** Returns the parameters of `isClaimed`. The claim itself counted one attempt more than the claimed task has. */
const lease = ({ attempts, id }: OutboxLease) => [id, attempts + 1]

const old = {
  table: "outbox_task",
  key: ["id"],
  where: "error IS NOT NULL AND due_at < ?1",
  order: "due_at, id",
  sized: ["work"]
}

/** The `OutboxStore` in a SQL database. */
export const layer: Layer.Layer<OutboxStore, never, Database> = Layer.effect(
  OutboxStore,
  Effect.gen(function* () {
    const database = yield* Database
    const { dialect } = database
    const added = database.send("OutboxStore.add")
    const addText = `INSERT INTO outbox_task (account_id, ready_account_id, due_at, tag, line, event_id, work)
      SELECT CAST(?3 AS bigint), CAST(?3 AS bigint), ${dialect.instant("?1")}, record.tag, record.line, record.event,
        ${dialect.document("record.work")}
      FROM ${dialect.records("record", "?2", {
        position: "integer",
        tag: "text",
        line: "text",
        event: "integer",
        work: "text"
      })}
      ORDER BY record.position`
    const claimed = OutboxClaim.make(database, yield* FrontLength)
    const completed = database.run("OutboxStore.complete")
    const retried = database.run("OutboxStore.retryAt")
    const postpone = database.run("OutboxStore.postpone")
    const deadLettered = database.first("OutboxStore.deadLetter", Column.Found)
    const released = database.all("OutboxStore.release", Column.Found)

    const deadLetter: OutboxStore["Service"]["deadLetter"] = (task, error, now) =>
      Effect.map(
        deadLettered(
          `UPDATE outbox_task SET error = ?3, due_at = ?4, lease_owner = NULL WHERE ${isClaimed} RETURNING id`,
          [...lease(task), error, dialect.time(now)]
        ),
        Option.isSome
      )

    const claim: OutboxStore["Service"]["claim"] = Effect.fnUntraced(function* (
      now,
      leaseUntil,
      limit,
      owner = null,
      taken = nothingTaken
    ) {
      while (true) {
        const rows = yield* claimed({ now, leaseUntil, limit, owner, taken })
        const tasks: Array<OutboxTask> = []
        for (const row of rows.toSorted((a, b) => a.id - b.id)) {
          const work = OutboxWorkColumn.decode(row.work)
          if (Result.isSuccess(work)) {
            tasks.push({ ...row, work: work.success })
            continue
          }
          const cause = undecoded("OutboxStore.claim")(work.failure)
          yield* Effect.logError("A task of the outbox cannot be read and was dead-lettered", cause, {
            task: row.id,
            reason: unreadable
          })
          yield* deadLetter(row, unreadable, now)
        }
        // An empty result would mean that no task is due. If all claimed tasks were unreadable, more may be due.
        if (tasks.length > 0 || rows.length === 0) return tasks
      }
    })

    return OutboxStore.of({
      add: (accountId, work, dueAt) =>
        work.length === 0
          ? Effect.void
          : added(addText, [
              dialect.time(dueAt),
              JSON.stringify(
                work.map((one, position) => ({
                  position,
                  tag: one._tag,
                  line: lineOf(one),
                  event: eventIdOf(one) ?? OutboxWorkColumn.noEvent,
                  work: OutboxWorkColumn.encode(one)
                }))
              ),
              accountId
            ]),
      claim,
      complete: (task) => completed(`DELETE FROM outbox_task WHERE ${isClaimed}`, lease(task)),
      retryAt: (task, until) =>
        retried(`UPDATE outbox_task SET due_at = ?3, lease_owner = NULL WHERE ${isClaimed}`, [
          ...lease(task),
          dialect.time(until)
        ]),
      postpone: (task, until) =>
        postpone(`UPDATE outbox_task SET due_at = ?3, attempts = attempts - 1, lease_owner = NULL WHERE ${isClaimed}`, [
          ...lease(task),
          dialect.time(until)
        ]),
      deadLetter,
      count: DeadLetters.count(database),
      deadLettered: DeadLetters.list(database),
      renew: DeadLetters.renew(database),
      release: (owner, now) =>
        Effect.map(
          released(
            `UPDATE outbox_task SET due_at = ?2, lease_owner = NULL, ready_account_id = account_id
              WHERE ${dialect.lockedInOrder("outbox_task", "error IS NULL AND due_at > ?2 AND lease_owner = ?1")}
              RETURNING id`,
            [owner, dialect.time(now)]
          ),
          (rows) => rows.length
        ),
      sweep: SweepStatement.deletion(database, "OutboxStore.sweep", old)
    })
  })
)
