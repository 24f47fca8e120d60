import { AccountId } from "@frontdesk/core/access/Account"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type { TakenPlaces } from "@frontdesk/core/outbox/OutboxStore"
import { OutboxTaskId } from "@frontdesk/core/outbox/OutboxTask"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Claim from "../claim/Claim.ts"
import type { ClaimQueue } from "../claim/ClaimQueue.ts"
import type { Dialect } from "../dialect/Dialect.ts"
import * as Column from "../storage/Column.ts"
import type { Database } from "../storage/Database.ts"
import * as OutboxWorkColumn from "./OutboxWorkColumn.ts"

/** A claimed task. */
const TaskRow = Schema.Struct({
  id: OutboxTaskId,
  accountId: AccountId,
  attempts: Schema.Int,
  work: OutboxWorkColumn.Stored
})

const operation = "OutboxStore.claim"

/** How many tasks one statement makes ready at most. Meanwhile they are locked, and the claims of other nodes skip them. */
const maxReady = 500

/** How many such statements one claim runs at most. */
const maxReadySteps = 10

/** Which tasks a claim takes, and for how long. */
export interface Request {
  readonly now: DateTime.Utc
  readonly leaseUntil: DateTime.Utc
  readonly limit: number
  readonly owner: string | null
  readonly taken: TakenPlaces
}

/** Returns the tasks that wait. The line of a task is its kind and provider (`lineOf`). */
const queueOf = (dialect: Dialect): ClaimQueue => ({
  name: "outbox_task",
  line: "line",
  beforeFirst: "",
  lineParameter: dialect.storedText,
  // No line continues another one with a control character.
  lineAfter: (line) => `${line} || ' '`,
  keyType: "text",
  // `lineKey` in core makes the same keys.
  lineKey: (account, line) => `${account} || ' ' || ${line}`,
  condition: "error IS NULL",
  isClaimable: () => "TRUE",
  mayClaim: () => "TRUE",
  ofLine: (now, count) => `SELECT id FROM outbox_task
    WHERE ready_account_id = open.account AND line = open.line AND error IS NULL AND due_at <= ${now}
    ORDER BY due_at, id LIMIT ${count}`,
  lease: (parameter) =>
    `attempts = attempts + 1, due_at = ${parameter(0)}, lease_owner = ${parameter(1)}, ready_account_id = NULL`
})

/**
 * Returns the claim of tasks.
 *
 * A task is ready from the moment it is added until it is claimed. A retry, and a task whose lease may end, becomes ready
 * here when it is due.
 */
export const make = (
  database: Database["Service"],
  frontLength: number
): ((request: Request) => Effect.Effect<ReadonlyArray<typeof TaskRow.Type>, StorageError>) => {
  const { dialect } = database
  const madeReady = database.all(operation, Column.Found)
  const leased = database.all(operation, TaskRow)

  const waiting = `SELECT id FROM outbox_task WHERE ready_account_id IS NULL AND error IS NULL AND due_at <= ?1
    ORDER BY due_at, id LIMIT ${maxReady}${dialect.skipLocked}`
  const readyText = `UPDATE outbox_task SET ready_account_id = account_id
    WHERE ${dialect.isOneOfRows("id", waiting)} RETURNING id`
  const makeReady = Effect.fnUntraced(function* (now: DateTime.Utc) {
    for (let steps = 0; steps < maxReadySteps; steps++)
      if ((yield* madeReady(readyText, [dialect.time(now)])).length < maxReady) return
  })

  const claim = Claim.make(database, operation, queueOf(dialect), frontLength, makeReady)
  const leasedText = `SELECT id, account_id, attempts - 1 AS attempts, work FROM outbox_task
    WHERE ${dialect.isOneOf("id", "?1")} AND due_at = ?2`

  return ({ leaseUntil, limit, now, owner, taken }) => {
    const until = dialect.time(leaseUntil)
    return claim({ now, places: { free: limit, ...taken }, lease: [until, owner] }, (ids) =>
      leased(leasedText, [JSON.stringify(ids), until])
    )
  }
}
