import { StorageError } from "@frontdesk/core/storage/StorageError"
import type { ClaimedDelivery, DeliveryResult } from "@frontdesk/core/delivery/Delivery"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { type Judged, type Taken, text } from "./Fact.ts"
import * as Model from "./model/Model.ts"
import { rule } from "./model/State.ts"
import type { KillPoint } from "./Plan.ts"
import { markedUrl, plainUrl } from "./SimulatedSender.ts"
import type { World } from "./World.ts"

/** What a process may suffer when it asks the store. */
type Trouble =
  | { readonly _tag: "Fails"; readonly error: StorageError | Error }
  /** It was done, and the answer is lost. */
  | { readonly _tag: "Loses"; readonly error: StorageError }
  | { readonly _tag: "Delays"; readonly before: number; readonly after: number }
  /** Somebody holds the webhook of a result. */
  | { readonly _tag: "Holds" }

/** Whether the caller learns what was done, and whether it was done of all. */
type Outcome = "told" | "lost" | "held"

/** The process the queue is seen from. */
export interface Caller {
  readonly name: string
  readonly isDead: () => boolean
  /** Kills the process if that was wanted at this point. */
  readonly pass: (point: KillPoint) => boolean
}

/**
 * The queue as a process sees it. Each call is one step of the store, done between two steps of any process; around it
 * the store fails, is slow, or the process dies.
 */
export const make = (world: World, queue: DeliveryQueue["Service"], caller: Caller): DeliveryQueue["Service"] => {
  const { state, tell } = world
  const process = caller.name

  const call = <A>(
    operation: "claim" | "isCurrent" | "record" | "release" | "nextDue" | "oldestDue",
    step: (outcome: Outcome) => A,
    points: readonly [before: KillPoint, after: KillPoint] | null,
    refused: (error: StorageError | Error) => void = () => {}
  ): Effect.Effect<A, StorageError> =>
    Effect.suspend(() => {
      if (caller.isDead() || (points !== null && caller.pass(points[0]))) return Effect.never
      const done = (outcome: Outcome): Effect.Effect<A> => {
        const answer = step(outcome)
        return points !== null && caller.pass(points[1]) ? Effect.never : Effect.succeed(answer)
      }
      const trouble = draw(world, operation)
      if (trouble === null) return done("told")
      const say = (text: string) => tell({ _tag: "Troubled", process, operation, trouble: text })
      switch (trouble._tag) {
        case "Fails":
          refused(trouble.error)
          say("fails")
          return trouble.error instanceof StorageError ? Effect.fail(trouble.error) : Effect.die(trouble.error)
        case "Holds":
          return done("held")
        case "Loses":
          return Effect.flatMap(done("lost"), () => {
            say("loses its answer")
            return Effect.fail(trouble.error)
          })
        case "Delays":
          say("is slow")
          return Effect.sleep(trouble.before).pipe(
            Effect.andThen(Effect.suspend(() => done("told"))),
            Effect.tap(() => Effect.sleep(trouble.after)),
            Effect.tap(() => Effect.sync(() => say("was slow")))
          )
      }
    })

  return DeliveryQueue.of({
    claim: (request) =>
      call(
        "claim",
        (outcome) => {
          const claimed = world.store(queue.claim(request))
          if (claimed.length > 0 || outcome === "lost")
            tell({
              _tag: "Claimed",
              process,
              now: DateTime.toEpochMillis(request.now),
              leaseUntil: DateTime.toEpochMillis(request.leaseUntil),
              leaseId: request.leaseId,
              taken: claimed.map(taken),
              lost: outcome === "lost"
            })
          return claimed.map((delivery) => ({ ...delivery, url: markedUrl(delivery) }))
        },
        ["before claim", "after claim"]
      ),
    isCurrent: ({ key, leaseId, url }) =>
      call("isCurrent", () => world.store(queue.isCurrent({ key, leaseId, url: plainUrl(url) })), null),
    record: (marked, now) => {
      const results = marked.map((result) => ({ ...result, url: plainUrl(result.url) }))
      const recorded = {
        _tag: "Recorded",
        process,
        now: DateTime.toEpochMillis(now),
        results: results.map(judged)
      } as const
      return call(
        "record",
        (outcome) => {
          const isLocked = ({ webhookId }: DeliveryResult) => outcome === "held" && webhookId === results[0]?.webhookId
          const [deferred, rest] = [results.filter(isLocked), results.filter((result) => !isLocked(result))]
          if (deferred.length > 0) tell({ _tag: "PassedOver", process, results: deferred.map(judged) })
          if (rest.length === 0) return { recorded: [], deferred: deferred.map(({ key }) => key) }
          const keys = world.store(queue.record(rest, now)).recorded
          tell({ ...recorded, results: rest.map(judged), keys, outcome: outcome === "lost" ? "lost" : "told" })
          return { recorded: keys, deferred: deferred.map(({ key }) => key) }
        },
        ["before record", "after record"],
        (error) => {
          const mayTryAgain = error instanceof StorageError && error.isRetryable
          tell({ ...recorded, keys: [], outcome: mayTryAgain ? "refused" : "refused for good" })
        }
      )
    },
    postpone: (keys, leaseId, dueAt) =>
      Effect.suspend(() => {
        if (caller.isDead()) return Effect.never
        world.store(queue.postpone(keys, leaseId, dueAt))
        tell({ _tag: "Postponed", process, keys, leaseId, dueAt: DateTime.toEpochMillis(dueAt) })
        return Effect.void
      }),
    release: (owner, now) =>
      call(
        "release",
        () => {
          const count = world.store(queue.release(owner, now))
          tell({ _tag: "Released", process, owner, now: DateTime.toEpochMillis(now), count })
          return count
        },
        null
      ),
    nextDue: (after) =>
      call(
        "nextDue",
        () => {
          const due = world.store(queue.nextDue(after))
          const expected = Model.nextDue(state, DateTime.toEpochMillis(after))
          rule(state, "the store knows what is next due", millisOf(due) === expected)
          return due
        },
        null
      ),
    oldestDue: call(
      "oldestDue",
      () => {
        const due = world.store(queue.oldestDue)
        rule(state, "the store knows what has been due longest", millisOf(due) === Model.nextDue(state, null))
        return due
      },
      null
    )
  })
}

const draw = ({ simulator, trouble }: World, operation: string): Trouble | null => {
  const failure = (reason: StorageError["reason"]) => new StorageError({ reason, operation, cause: "simulated" })
  if (simulator.elapsed() < trouble.outageUntil) return { _tag: "Fails", error: failure("unavailable") }
  if (simulator.draw() >= trouble.chance) return null
  const kind = simulator.draw()
  if (kind < 0.3) return { _tag: "Fails", error: failure(simulator.oneOf(["unavailable", "conflict", "corrupt"])) }
  if (kind < 0.35) return { _tag: "Fails", error: new Error("simulated") }
  if (kind < 0.65) return { _tag: "Loses", error: failure(simulator.oneOf(["unavailable", "conflict"])) }
  if (operation === "record" && kind < 0.8) return { _tag: "Holds" }
  const millis = simulator.oneOf([5, 900, 12_000, 40_000])
  return simulator.draw() < 0.5
    ? { _tag: "Delays", before: millis, after: 0 }
    : { _tag: "Delays", before: 0, after: millis }
}

const millisOf = (time: Option.Option<DateTime.Utc>): number | null =>
  Option.getOrNull(Option.map(time, DateTime.toEpochMillis))

const taken = ({ body, claims, id, key, kind, results, secrets, url, webhookId }: ClaimedDelivery): Taken => ({
  key,
  id,
  webhook: webhookId,
  url,
  body: text(body),
  secret: Redacted.value(secrets.current),
  results,
  claims,
  kind
})

const judged = ({ attempt, key, kind, leaseId, next, webhookStatus }: DeliveryResult): Judged => ({
  key,
  leaseId,
  kind,
  webhookStatus,
  startedAt: DateTime.toEpochMillis(attempt.startedAt),
  durationMs: attempt.durationMs,
  statusCode: attempt.statusCode,
  error: attempt.error,
  state: next.state,
  dueAt: next.state === "pending" ? DateTime.toEpochMillis(next.dueAt) : null
})
