import type { ClaimRequest, DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"
import type { Database } from "../storage/Database.ts"
import * as ReadyWalk from "../storage/ReadyWalk.ts"
import * as ClaimCapacity from "./ClaimCapacity.ts"
import * as DeliveryWalk from "./DeliveryWalk.ts"
import * as LeasedDeliveries from "./LeasedDeliveries.ts"
import * as LeaseStatement from "./LeaseStatement.ts"
import * as ReadyDeliveries from "./ReadyDeliveries.ts"

const { accountId, id, webhookId } = ClaimCapacity.Candidate.fields

const leased = {
  leased: Column.json(Schema.Array(Schema.Tuple([id, webhookId, accountId]))),
  eligible: Schema.Int,
  isLonger: Column.Flag
}

const FrontRow = Schema.Struct(leased)

const WalkRow = Schema.Struct({
  ...leased,
  lastAccount: Schema.NullOr(Schema.Int),
  lastLine: Schema.NullOr(Schema.Int),
  isSomeWaiting: Column.Flag
})

const start = ReadyWalk.start(DeliveryWalk.table)

/**
 * How often a claim repeats a statement that leased fewer deliveries than there were, because other claims leased them
 * first.
 */
const maxRepeats = 11

/**
 * Returns the claim for a database with concurrent transactions (D-PG-16). It uses no transaction: each statement
 * leases deliveries and commits by itself. So a process that stops between two statements holds no locks. The
 * deliveries that it had leased and not yet read become due again when their lease ends.
 *
 * When other claims lease the chosen deliveries first, the statement is repeated. It then chooses other deliveries.
 *
 * A claim begins with the statement that the last claim needed, because a queue that was long is usually still long.
 */
export const make = (
  database: Database["Service"],
  operation: string,
  frontLength: number
): DeliveryQueue["Service"]["claim"] => {
  const { dialect } = database
  const leasingFront = database.one(operation, FrontRow)
  const leasingWalk = database.one(operation, WalkRow)
  const read = LeasedDeliveries.make(database, operation)
  const makeReady = ReadyDeliveries.make(database, operation)
  const front = LeaseStatement.front(dialect, frontLength)
  const walk = LeaseStatement.walk(dialect, frontLength)
  const position = Ref.makeUnsafe(start)
  const wasLonger = Ref.makeUnsafe(false)

  const parameters = (request: ClaimRequest) => [
    dialect.time(request.now),
    JSON.stringify([...request.takenPlaces].map(([webhook_id, count]) => ({ webhook_id, count }))),
    JSON.stringify([...request.takenByAccount].map(([account_id, count]) => ({ account_id, count }))),
    request.perWebhook,
    request.limit,
    dialect.time(request.leaseUntil),
    request.leaseId,
    request.owner
  ]

  const toLeased = (rows: (typeof FrontRow.Type)["leased"]): ReadonlyArray<ClaimCapacity.Candidate> =>
    rows.map(([id, webhookId, accountId]) => ({ id, webhookId, accountId }))

  /** Repeats a statement while other claims are faster. Returns its last row, and the deliveries that it leased. */
  const lease = Effect.fnUntraced(function* <Row extends typeof FrontRow.Type, E, R>(
    request: ClaimRequest,
    statement: (rest: ClaimRequest) => Effect.Effect<Row, E, R>
  ) {
    const all: Array<ClaimCapacity.Candidate> = []
    for (let repeats = 0; ; repeats++) {
      const row = yield* statement(ClaimCapacity.rest(request, all))
      all.push(...toLeased(row.leased))
      if (row.leased.length >= row.eligible || all.length === request.limit || repeats === maxRepeats)
        return { row, all }
    }
  })

  /** Walks on from the position of the last claim, and from the first account when it reaches the end. */
  const byAccount = Effect.fnUntraced(function* (request: ClaimRequest) {
    const all: Array<ClaimCapacity.Candidate> = []
    const step = Effect.fnUntraced(function* (from: ReadyWalk.Position) {
      const rest = ClaimCapacity.rest(request, all)
      const { all: found, row } = yield* lease(rest, (one) =>
        leasingWalk(walk, [...parameters(one), from.accountId, from.line, ReadyWalk.maxSteps(one.limit)])
      )
      all.push(...found)
      yield* Ref.set(position, ReadyWalk.after(DeliveryWalk.table, row.lastAccount, row.lastLine))
      yield* Ref.set(wasLonger, row.isLonger)
      return row
    })
    const isFull = () => all.length === request.limit
    const from = yield* Ref.get(position)
    const first = yield* step(from)
    if (first.isSomeWaiting) yield* makeReady(request.now)
    const hasWrapped = !ReadyWalk.isStart(from) && ReadyWalk.isStart(yield* Ref.get(position))
    if ((first.isSomeWaiting || hasWrapped) && !isFull()) yield* step(hasWrapped ? start : from)
    return all
  })

  const fill = Effect.fnUntraced(function* (request: ClaimRequest) {
    if (yield* Ref.get(wasLonger)) return yield* byAccount(request)
    const { all, row } = yield* lease(request, (rest) => leasingFront(front, parameters(rest)))
    return row.isLonger ? [...all, ...(yield* byAccount(ClaimCapacity.rest(request, all)))] : all
  })

  return Effect.fnUntraced(function* (request) {
    const keys = (yield* fill(request)).map((delivery) => delivery.id)
    return yield* read(keys, request.leaseId)
  })
}
