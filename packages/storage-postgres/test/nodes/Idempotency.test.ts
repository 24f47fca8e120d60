import { describe, expect, it } from "@effect/vitest"
import { TeamStore } from "@frontdesk/core/access/TeamStore"
import { Idempotency } from "@frontdesk/core/idempotency/Idempotency"
import type { IdempotencyScope, StoredAnswer } from "@frontdesk/core/idempotency/IdempotencyStore"
import { OutboxSignal } from "@frontdesk/core/outbox/Outbox"
import * as Samples from "@frontdesk/testing/suite/Samples"
import { withClockOffset } from "@frontdesk/testing/suite/WallClock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Result from "effect/Result"
import * as Node from "./Node.ts"

const answer: StoredAnswer = { status: 201, body: '{"id":1}' }

/** Builds two nodes, and the scope of a key. */
const setUp = Effect.gen(function* () {
  const [one, two] = yield* Node.make(2)
  if (one === undefined || two === undefined) return yield* Effect.die("no nodes")
  const account = yield* Effect.provide(Samples.makeAccount(), one)
  const scope: IdempotencyScope = { accountId: account.id, method: "POST", path: "/api/v1/contacts/create", key: "k" }
  return { one, two, scope }
})

/** Runs a request with the key on a node. It adds a team with a name, then waits for `pause`. */
const run = (node: Node.Node, scope: IdempotencyScope, team: string, pause: Effect.Effect<void> = Effect.void) =>
  Context.get(node, Idempotency).run(
    scope,
    "body",
    { atomic: true },
    Context.get(node, TeamStore).insert(team).pipe(Effect.andThen(pause), Effect.as(answer))
  )

const teams = (node: Node.Node) =>
  Effect.map(Node.query(node, "SELECT name FROM team ORDER BY id"), (rows) => rows.map(({ name }) => name))

describe("idempotency keys on many nodes", () => {
  it.live(
    "one of the concurrent requests with a key through two nodes is executed, and the others fail or replay its answer",
    () =>
      Effect.gen(function* () {
        const { one, scope, two } = yield* setUp
        const results = yield* Effect.forEach(
          Array.from({ length: 20 }, (_, index) => index),
          (index) => Effect.result(run(index % 2 === 0 ? one : two, scope, "made")),
          { concurrency: "unbounded" }
        )
        const executed = results.filter((result) => Result.isSuccess(result) && !result.success.replayed)
        expect(executed).toHaveLength(1)
        for (const result of results) {
          if (Result.isFailure(result)) expect(result.failure._tag).toBe("IdempotencyInProgress")
          else expect(result.success.answer).toEqual(answer)
        }
        expect(yield* teams(one)).toEqual(["made"])
        expect((yield* run(two, scope, "again")).replayed).toBe(true)
      }).pipe(Effect.scoped)
  )

  it.live(
    "a node that freezes until another node takes over its key commits nothing when it continues (D-IDEM-10)",
    () =>
      Effect.gen(function* () {
        const { one, scope, two } = yield* setUp
        const reached = yield* Deferred.make<void>()
        const gate = yield* Deferred.make<void>()
        const pause = Effect.andThen(Deferred.succeed(reached, undefined), Deferred.await(gate))
        const late = yield* Effect.forkChild(Effect.flip(run(one, scope, "late", pause)))
        yield* Deferred.await(reached)
        const taken = yield* withClockOffset((set) => {
          set(120_000)
          return run(two, scope, "in time")
        })
        expect(taken.replayed).toBe(false)
        yield* Deferred.succeed(gate, undefined)
        expect((yield* Fiber.join(late))._tag).toBe("IdempotencyInProgress")
        expect(yield* teams(one)).toEqual(["in time"])
        expect((yield* run(one, scope, "again")).replayed).toBe(true)
      }).pipe(Effect.scoped)
  )

  it.live("a signal of a request with a key is raised after its commit, and not before", () =>
    Effect.gen(function* () {
      const { one, scope } = yield* setUp
      const { forward, notify } = Context.get(one, OutboxSignal)
      const heard = Latch.makeUnsafe(false)
      yield* forward(() => heard.openUnsafe())
      const found = yield* Effect.forkChild(Effect.andThen(heard.await, teams(one)))
      const reached = yield* Deferred.make<void>()
      const gate = yield* Deferred.make<void>()
      const pause = Effect.andThen(notify, Effect.andThen(Deferred.succeed(reached, undefined), Deferred.await(gate)))
      const running = yield* Effect.forkChild(run(one, scope, "made", pause))
      yield* Deferred.await(reached)
      yield* teams(one)
      expect(found.pollUnsafe()).toBeUndefined()
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(running)
      expect(yield* Fiber.join(found)).toEqual(["made"])
    }).pipe(Effect.scoped)
  )
})
