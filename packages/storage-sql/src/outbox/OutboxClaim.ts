import { AccountId } from "@frontdesk/core/access/Account"
import * as FairShare from "@frontdesk/core/background/FairShare"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import { choose, type DueTask, type TakenPlaces } from "@frontdesk/core/outbox/OutboxStore"
import { lineKey, OutboxTaskId } from "@frontdesk/core/outbox/OutboxTask"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"
import type { Database } from "../storage/Database.ts"
import * as ReadyWalk from "../storage/ReadyWalk.ts"
import * as OutboxWorkColumn from "./OutboxWorkColumn.ts"

/** A claimed task. */
export const TaskRow = Schema.Struct({
  id: OutboxTaskId,
  accountId: AccountId,
  attempts: Schema.Int,
  work: OutboxWorkColumn.Stored
})

const DueRow = Schema.Struct({ id: OutboxTaskId, accountId: AccountId, line: Schema.String })

const WalkRow = Schema.Struct({
  due: Column.json(Schema.Array(Schema.Tuple([OutboxTaskId, AccountId, Schema.String]))),
  lastAccount: Schema.NullOr(Schema.Int),
  lastLine: Schema.NullOr(Schema.String)
})

const operation = "OutboxStore.claim"

/** How many tasks one statement makes ready at most. Meanwhile they are locked, and the claims of other nodes skip them. */
const maxReady = 500

/** How many such statements one claim runs at most. */
const maxReadySteps = 10

/** How often a claim chooses again, because other claims took some of the chosen tasks first. */
const maxRepeats = 11

/** Which tasks a claim takes, and for how long. */
export interface Request {
  readonly now: DateTime.Utc
  readonly leaseUntil: DateTime.Utc
  readonly limit: number
  readonly owner: string | null
  readonly taken: TakenPlaces
}

/**
 * Returns the claim of tasks. While few tasks are due, a claim examines all of them. Otherwise it walks through the ready
 * ones, from account to account and from line to line (`ReadyWalk`), like a claim of deliveries.
 *
 * A task is ready from the moment it is added until it is claimed. A retry, and a task whose lease may end, becomes ready
 * here when it is due.
 */
export const make = (
  database: Database["Service"],
  frontLength: number
): ((request: Request) => Effect.Effect<ReadonlyArray<typeof TaskRow.Type>, StorageError>) => {
  const { dialect } = database
  const front = database.all(operation, DueRow)
  const walked = database.one(operation, WalkRow)
  const madeReady = database.all(operation, Column.Found)
  const leased = database.all(operation, TaskRow)

  // The collation of an empty text would be that of the database. The column has another one.
  const table: ReadyWalk.Table = {
    name: "outbox_task",
    line: "line",
    condition: "error IS NULL",
    beforeFirst: "",
    parameter: (parameter) => `coalesce((SELECT min(line) FROM outbox_task WHERE 1 = 0), CAST(${parameter} AS text))`
  }
  const start = ReadyWalk.start(table)
  const position = Ref.makeUnsafe(start)

  const parameters: ReadyWalk.Parameters = {
    fullAccounts: dialect.integers("?3"),
    from: { accountId: "?4", line: "?5" },
    maxSteps: "?6"
  }
  // Limits are part of the texts (D-PG-17).
  const frontText = `SELECT id, account_id, line FROM outbox_task WHERE error IS NULL AND due_at <= ?1
    ORDER BY due_at, id LIMIT ${frontLength + 1}`
  const walkText = `WITH RECURSIVE ${ReadyWalk.open(table, parameters)}
    SELECT (SELECT ${dialect.collect(["id", "account_id", "line"], "due_at, id")} FROM (
        SELECT task.id, task.account_id, task.line, task.due_at ${dialect.fromEach({
          each: "open",
          condition: "open.account IS NOT NULL",
          select: `SELECT id FROM outbox_task
            WHERE ready_account_id = open.account AND line = open.line AND error IS NULL AND due_at <= ?1
            ORDER BY due_at, id LIMIT ?2`,
          table: "outbox_task",
          alias: "task"
        })}
      ) AS task) AS due, ${ReadyWalk.last(parameters)}`
  const waiting = `SELECT id FROM outbox_task WHERE ready_account_id IS NULL AND error IS NULL AND due_at <= ?1
    ORDER BY due_at, id LIMIT ${maxReady}${dialect.skipLocked}`
  const readyText = `UPDATE outbox_task SET ready_account_id = account_id
    WHERE ${dialect.isOneOfRows("id", waiting)} RETURNING id`
  const unclaimed = `SELECT id FROM outbox_task WHERE ${dialect.isOneOf("id", "?4")} AND error IS NULL AND due_at <= ?1
    ORDER BY id${dialect.skipLocked}`
  const leaseText = `UPDATE outbox_task
    SET attempts = attempts + 1, due_at = ?2, lease_owner = ?3, ready_account_id = NULL
    WHERE ${dialect.isOneOfRows("id", unclaimed)} RETURNING id, account_id, attempts - 1 AS attempts, work`

  const makeReady = Effect.fnUntraced(function* (now: DateTime.Utc) {
    for (let steps = 0; steps < maxReadySteps; steps++)
      if ((yield* madeReady(readyText, [dialect.time(now)])).length < maxReady) return
  })

  /** Walks on from the position of the last claim, and from the first account when it reaches the end. */
  const byAccount = Effect.fnUntraced(function* ({ limit, now, taken }: Request) {
    const full = [...taken.byAccount].flatMap(([id, count]) => (FairShare.mayTake(count, limit) ? [] : [id]))
    const step = Effect.fnUntraced(function* (from: ReadyWalk.Position) {
      const { due, lastAccount, lastLine } = yield* walked(walkText, [
        dialect.time(now),
        Math.min(taken.perLine, limit),
        JSON.stringify(full),
        from.accountId,
        from.line,
        ReadyWalk.maxSteps(limit)
      ])
      yield* Ref.set(position, ReadyWalk.after(table, lastAccount, lastLine))
      return due.map(([id, accountId, line]) => ({ id, accountId, line }))
    })
    const from = yield* Ref.get(position)
    const first = yield* step(from)
    if (ReadyWalk.isStart(from) || !ReadyWalk.isStart(yield* Ref.get(position))) return first
    const seen = new Set(first.map(({ id }) => id))
    return [...first, ...(yield* step(start)).filter(({ id }) => !seen.has(id))]
  })

  const find = Effect.fnUntraced(function* (request: Request) {
    const earliest = yield* front(frontText, [dialect.time(request.now)])
    if (earliest.length <= frontLength) return earliest
    yield* makeReady(request.now)
    return yield* byAccount(request)
  })

  return Effect.fnUntraced(function* (request) {
    const claimed: Array<typeof TaskRow.Type> = []
    const chosenBefore = new Set<OutboxTaskId>()
    let left = request
    for (let repeats = 0; ; repeats++) {
      const found = (yield* find(left)).filter(({ id }) => !chosenBefore.has(id))
      // Claims that collide would choose the same tasks again, so each continues from another one.
      const due = repeats === 0 ? found : yield* rotated(found)
      const chosen = choose(due, left.limit, left.taken)
      if (chosen.length === 0) return claimed
      const ids = chosen.map(({ id }) => id)
      const rows = yield* leased(leaseText, [
        dialect.time(request.now),
        dialect.time(request.leaseUntil),
        request.owner,
        JSON.stringify(ids)
      ])
      claimed.push(...rows)
      if (rows.length === ids.length || repeats === maxRepeats) return claimed
      for (const id of ids) chosenBefore.add(id)
      const leasedIds = new Set(rows.map(({ id }) => id))
      left = remaining(
        left,
        chosen.filter(({ id }) => leasedIds.has(id))
      )
    }
  })
}

/** Returns the items in their order from a random one on. */
const rotated = <A>(items: ReadonlyArray<A>): Effect.Effect<ReadonlyArray<A>> =>
  items.length === 0
    ? Effect.succeed(items)
    : Effect.map(Random.nextIntBetween(0, items.length - 1), (start) => [
        ...items.slice(start),
        ...items.slice(0, start)
      ])

/** Returns the request for what is left after tasks were claimed. */
const remaining = (request: Request, tasks: ReadonlyArray<DueTask>): Request => {
  const byAccount = new Map(request.taken.byAccount)
  const byLine = new Map(request.taken.byLine)
  for (const { accountId, line } of tasks) {
    const key = lineKey(accountId, line)
    byAccount.set(accountId, (byAccount.get(accountId) ?? 0) + 1)
    byLine.set(key, (byLine.get(key) ?? 0) + 1)
  }
  return { ...request, limit: request.limit - tasks.length, taken: { ...request.taken, byAccount, byLine } }
}
