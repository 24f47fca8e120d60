import type { ClaimRequest, DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"
import type { Database } from "../storage/Database.ts"
import * as ReadyWalk from "../storage/ReadyWalk.ts"
import * as ClaimCapacity from "./ClaimCapacity.ts"
import * as ClaimCondition from "./ClaimCondition.ts"
import * as DeliveryWalk from "./DeliveryWalk.ts"
import * as LeasedDeliveries from "./LeasedDeliveries.ts"
import * as ReadyDeliveries from "./ReadyDeliveries.ts"

const { accountId, id, webhookId } = ClaimCapacity.Candidate.fields

const WalkRow = Schema.Struct({
  candidates: Column.json(Schema.Array(Schema.Tuple([id, webhookId, accountId]))),
  lastAccount: Schema.NullOr(Schema.Int),
  lastLine: Schema.NullOr(Schema.Int)
})

const start = ReadyWalk.start(DeliveryWalk.table)

/** Returns the claim for a database whose transactions exclude each other. It is one transaction. */
export const make = (
  database: Database["Service"],
  operation: string,
  frontLength: number
): DeliveryQueue["Service"]["claim"] => {
  const { dialect } = database
  const candidates = database.all(operation, ClaimCapacity.Candidate)
  const walked = database.one(operation, WalkRow)
  const found = database.first(operation, Column.Found)
  const run = database.run(operation)
  const read = LeasedDeliveries.make(database, operation)
  const makeReady = ReadyDeliveries.make(database, operation)
  const position = Ref.makeUnsafe(start)

  const parameters: ReadyWalk.Parameters = {
    fullAccounts: dialect.integers("?3"),
    from: { accountId: "?5", line: "?6" },
    maxSteps: "?7"
  }
  const isLonger = ClaimCondition.isLonger("?1", frontLength)
  const front = ClaimCondition.front("?1", dialect.integers("?2"), frontLength)
  const ready = DeliveryWalk.candidates(dialect, {
    now: "?1",
    fullWebhooks: dialect.integers("?2"),
    perWebhook: "?4"
  })
  const walk = `WITH RECURSIVE ${ReadyWalk.open(DeliveryWalk.table, parameters)}
    SELECT (SELECT ${dialect.collect(["id", "webhook_id", "account_id"], "due_at, id")} FROM (${ready}) AS candidate)
        AS candidates, ${ReadyWalk.last(parameters)}`
  const lease = ClaimCondition.lease(dialect)

  /** Walks on from the position of the last claim, and from the first account when it reaches the end. */
  const byAccount = Effect.fnUntraced(function* (request: ClaimRequest) {
    const steps = ReadyWalk.maxSteps(request.limit)
    const step = Effect.fnUntraced(function* (from: ReadyWalk.Position) {
      const { candidates, lastAccount, lastLine } = yield* walked(walk, [
        dialect.time(request.now),
        JSON.stringify(ClaimCapacity.fullWebhooks(request)),
        JSON.stringify(ClaimCapacity.fullAccounts(request)),
        Math.min(request.perWebhook, request.limit),
        from.accountId,
        from.line,
        steps
      ])
      yield* Ref.set(position, ReadyWalk.after(DeliveryWalk.table, lastAccount, lastLine))
      return candidates.map(([id, webhookId, accountId]) => ({ id, webhookId, accountId }))
    })
    const from = yield* Ref.get(position)
    const first = yield* step(from)
    const hasWrapped = !ReadyWalk.isStart(from) && ReadyWalk.isStart(yield* Ref.get(position))
    if (!hasWrapped) return first
    const seen = new Set(first.map((candidate) => candidate.id))
    return [...first, ...(yield* step(start)).filter((candidate) => !seen.has(candidate.id))]
  })

  const choose = Effect.fnUntraced(function* (request: ClaimRequest) {
    const now = dialect.time(request.now)
    if (Option.isNone(yield* found(isLonger, [now])))
      return yield* candidates(front, [now, JSON.stringify(ClaimCapacity.fullWebhooks(request))])
    yield* makeReady(request.now)
    return yield* byAccount(request)
  })

  return Effect.fnUntraced(function* (request) {
    const keys = ClaimCapacity.choose(yield* choose(request), request).map((delivery) => delivery.id)
    if (keys.length === 0) return []
    const { leaseId, leaseUntil, owner } = request
    yield* run(lease, [dialect.time(leaseUntil), leaseId, owner, JSON.stringify(keys)])
    return yield* read(keys, leaseId)
  }, database.atomically(operation))
}
