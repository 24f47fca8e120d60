import { StorageError } from "@frontdesk/core/storage/StorageError"
import type { ClaimedDelivery, DeliveryResult } from "@frontdesk/core/delivery/Delivery"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { type ClaimedRow, type ResultRow, text } from "./Fact.ts"
import * as Model from "./model/Model.ts"
import { rule } from "./model/State.ts"
import type { KillPoint } from "./Plan.ts"
import type { CallingProcess } from "./CallingProcess.ts"
import * as ClaimUrl from "./ClaimUrl.ts"
import type { Simulation } from "./Simulation.ts"

/** A fault of one call of the store. */
type StoreFault =
  | { readonly _tag: "Fails"; readonly error: StorageError | Error }
  /** The call takes effect, and its answer is lost. */
  | { readonly _tag: "Loses"; readonly error: StorageError }
  | { readonly _tag: "Delays"; readonly before: number; readonly after: number }
  /** Another writer has locked the webhook of the first result. */
  | { readonly _tag: "Locks" }

/** Whether the caller receives the answer, loses it, or finds a webhook locked. */
type Outcome = "answered" | "lost" | "locked"

/**
 * The queue of a process. Each call is one atomic step of the real queue. Before and after it, the call may fail or be
 * slow, or the process may be killed.
 */
export const make = (
  simulation: Simulation,
  queue: DeliveryQueue["Service"],
  caller: CallingProcess
): DeliveryQueue["Service"] => {
  const { state, observe } = simulation
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
      const fault = drawFault(simulation, operation)
      if (fault === null) return done("answered")
      const observeFault = (text: string) => observe({ _tag: "StoreFault", process, operation, fault: text })
      switch (fault._tag) {
        case "Fails":
          refused(fault.error)
          observeFault("fails")
          return fault.error instanceof StorageError ? Effect.fail(fault.error) : Effect.die(fault.error)
        case "Locks":
          return done("locked")
        case "Loses":
          return Effect.flatMap(done("lost"), () => {
            observeFault("loses its answer")
            return Effect.fail(fault.error)
          })
        case "Delays":
          observeFault("is slow")
          return Effect.sleep(fault.before).pipe(
            Effect.andThen(Effect.suspend(() => done("answered"))),
            Effect.tap(() => Effect.sleep(fault.after)),
            Effect.tap(() => Effect.sync(() => observeFault("was slow")))
          )
      }
    })

  return DeliveryQueue.of({
    claim: (request) =>
      call(
        "claim",
        (outcome) => {
          const claimed = simulation.store(queue.claim(request))
          if (claimed.length > 0 || outcome === "lost")
            observe({
              _tag: "Claimed",
              process,
              now: DateTime.toEpochMillis(request.now),
              leaseUntil: DateTime.toEpochMillis(request.leaseUntil),
              leaseId: request.leaseId,
              deliveries: claimed.map(claimedRow),
              lost: outcome === "lost"
            })
          return claimed.map((delivery) => ({ ...delivery, url: ClaimUrl.withClaim(delivery) }))
        },
        ["before claim", "after claim"]
      ),
    isCurrent: ({ key, leaseId, url }) =>
      call("isCurrent", () => simulation.store(queue.isCurrent({ key, leaseId, url: ClaimUrl.split(url).url })), null),
    record: (marked, now) => {
      const results = marked.map((result) => ({ ...result, url: ClaimUrl.split(result.url).url }))
      const recorded = {
        _tag: "Recorded",
        process,
        now: DateTime.toEpochMillis(now),
        results: results.map(resultRow)
      } as const
      return call(
        "record",
        (outcome) => {
          const isLocked = ({ webhookId }: DeliveryResult) =>
            outcome === "locked" && webhookId === results[0]?.webhookId
          const [deferred, rest] = [results.filter(isLocked), results.filter((result) => !isLocked(result))]
          if (deferred.length > 0) observe({ _tag: "Deferred", process, results: deferred.map(resultRow) })
          if (rest.length === 0) return { recorded: [], deferred: deferred.map(({ key }) => key) }
          const keys = simulation.store(queue.record(rest, now)).recorded
          observe({
            ...recorded,
            results: rest.map(resultRow),
            keys,
            outcome: outcome === "lost" ? "lost" : "answered"
          })
          return { recorded: keys, deferred: deferred.map(({ key }) => key) }
        },
        ["before record", "after record"],
        (error) => {
          const mayTryAgain = error instanceof StorageError && error.isRetryable
          observe({ ...recorded, keys: [], outcome: mayTryAgain ? "refused" : "refused for good" })
        }
      )
    },
    postpone: (keys, leaseId, dueAt) =>
      Effect.suspend(() => {
        if (caller.isDead()) return Effect.never
        simulation.store(queue.postpone(keys, leaseId, dueAt))
        observe({ _tag: "Postponed", process, keys, leaseId, dueAt: DateTime.toEpochMillis(dueAt) })
        return Effect.void
      }),
    release: (owner, now) =>
      call(
        "release",
        () => {
          const count = simulation.store(queue.release(owner, now))
          observe({ _tag: "Released", process, owner, now: DateTime.toEpochMillis(now), count })
          return count
        },
        null
      ),
    nextDue: (after) =>
      call(
        "nextDue",
        () => {
          const due = simulation.store(queue.nextDue(after))
          const expected = Model.nextDue(state, DateTime.toEpochMillis(after))
          rule(state, "nextDue returns the earliest due time after the given one", millisOf(due) === expected)
          return due
        },
        null
      ),
    oldestDue: call(
      "oldestDue",
      () => {
        const due = simulation.store(queue.oldestDue)
        rule(state, "oldestDue returns the earliest due time", millisOf(due) === Model.nextDue(state, null))
        return due
      },
      null
    )
  })
}

const drawFault = ({ simulator, fault }: Simulation, operation: string): StoreFault | null => {
  const failure = (reason: StorageError["reason"]) => new StorageError({ reason, operation, cause: "simulated" })
  if (simulator.elapsed() < fault.outageUntil) return { _tag: "Fails", error: failure("unavailable") }
  if (simulator.draw() >= fault.chance) return null
  const kind = simulator.draw()
  if (kind < 0.3) return { _tag: "Fails", error: failure(simulator.oneOf(["unavailable", "conflict", "corrupt"])) }
  if (kind < 0.35) return { _tag: "Fails", error: new Error("simulated defect of the store") }
  if (kind < 0.65) return { _tag: "Loses", error: failure(simulator.oneOf(["unavailable", "conflict"])) }
  if (operation === "record" && kind < 0.8) return { _tag: "Locks" }
  const millis = simulator.oneOf([5, 900, 12_000, 40_000])
  return simulator.draw() < 0.5
    ? { _tag: "Delays", before: millis, after: 0 }
    : { _tag: "Delays", before: 0, after: millis }
}

const millisOf = (time: Option.Option<DateTime.Utc>): number | null =>
  Option.getOrNull(Option.map(time, DateTime.toEpochMillis))

const claimedRow = ({
  body,
  claims,
  id,
  key,
  kind,
  results,
  secrets,
  url,
  webhookId
}: ClaimedDelivery): ClaimedRow => ({
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

const resultRow = ({ attempt, key, kind, leaseId, next, webhookStatus }: DeliveryResult): ResultRow => ({
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
