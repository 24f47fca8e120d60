import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { Crypto } from "../crypto/Crypto.ts"
import * as Outage from "../storage/Outage.ts"
import { StorageError } from "../storage/StorageError.ts"
import * as Timestamp from "../values/Timestamp.ts"
import type { ClaimedDelivery, DeliveryResult } from "./Delivery.ts"
import * as DeliveryAttempt from "./DeliveryAttempt.ts"
import * as DeliveryMetrics from "./DeliveryMetrics.ts"
import { DeliveryQueue } from "./DeliveryQueue.ts"
import type { DeliverySettings } from "./DeliverySettings.ts"
import * as SecretResolver from "./SecretResolver.ts"
import type { WebhookSender } from "./WebhookSender.ts"
import * as Deadlines from "../background/Deadlines.ts"
import * as Lease from "../background/Lease.ts"
import type { Command, Input, Report } from "./DeliveryEngineState.ts"

/** For how long a delivery is postponed when its secret cannot be opened. Its owner may rotate the secret meanwhile. */
const unreadableDelay = Duration.minutes(1)

/** Carries out a command of the engine and returns the input that follows from it; null after a report. */
export type CarryOut = (command: Command) => Effect.Effect<Input | null, never, DeliveryQueue | WebhookSender | Crypto>

/** Makes the function that carries out commands. It claims deliveries under `owner`, the name of the process. */
export const make = Effect.fnUntraced(function* (
  settings: DeliverySettings,
  owner: string
): Effect.fn.Return<CarryOut, never, DeliveryQueue | Crypto | Scope.Scope> {
  const queue = yield* DeliveryQueue
  const crypto = yield* Crypto
  const deadlines = yield* Deadlines.make
  const openSecrets = yield* SecretResolver.make

  /** Postpones deliveries of one claim. When the queue fails, they are due again when their lease ends. */
  const postpone = (deliveries: ReadonlyArray<ClaimedDelivery>, until: DateTime.Utc) => {
    const [first] = deliveries
    const keys = deliveries.map(({ key }) => key)
    return first === undefined
      ? Effect.void
      : Effect.ignoreCause(queue.postpone(keys, first.leaseId, until), { log: "Warn" })
  }

  const claim = Effect.fnUntraced(function* ({
    limit,
    takenByAccount,
    takenPlaces
  }: Extract<Command, { readonly _tag: "Claim" }>) {
    const now = yield* DateTime.now
    const lease = yield* Lease.begin(now, { length: settings.lease, timeout: settings.timeout })
    const claimed = yield* queue.claim({
      now,
      leaseUntil: Timestamp.after(now, settings.lease),
      leaseId: yield* crypto.uuid,
      owner,
      limit,
      perWebhook: settings.maxInFlightPerWebhook,
      takenPlaces,
      takenByAccount
    })
    const [deliveries, unreadable] = yield* openSecrets(claimed, now)
    yield* postpone(unreadable, Timestamp.after(now, unreadableDelay))
    return claimedInput({ deliveries, lease, isSomePostponed: unreadable.length > 0 })
  })

  /** Makes one attempt. A delivery that must not be sent after all is postponed, and is due at once. */
  const send = Effect.fnUntraced(function* ({ delivery, lease }: Extract<Command, { readonly _tag: "Send" }>) {
    const result = yield* DeliveryAttempt.send(delivery, lease, deadlines)
    if (Option.isSome(result)) return attempted(result.value)
    yield* Effect.logInfo(
      "a webhook delivery was not sent, because its claim may no longer be valid or ends too soon; it is due again at once"
    ).pipe(Effect.annotateLogs({ deliveryId: delivery.id, webhookId: delivery.webhookId }))
    yield* postpone([delivery], yield* DateTime.now)
    return notSent(delivery)
  })

  const findNextDue = Effect.fnUntraced(function* (after: DateTime.Utc) {
    const due = yield* queue.nextDue(after)
    const now = yield* DateTime.now
    return Option.match(due, {
      onNone: () => nextDue(Number.POSITIVE_INFINITY),
      onSome: (time) => nextDue(Timestamp.millisBetween(now, time))
    })
  })

  const record = Effect.fnUntraced(function* (results: ReadonlyArray<DeliveryResult>) {
    const { deferred, recorded } = yield* queue.record(results, yield* DateTime.now)
    const lost = results.length - recorded.length - deferred.length
    if (lost > 0) yield* Metric.update(DeliveryMetrics.lostLeases, lost)
    return recordedInput(deferred)
  })

  return (command) => {
    switch (command._tag) {
      case "Claim":
        return orElse("claim", claim(command), queueFailed)
      case "Send":
        return Effect.catchCause(send(command), () => Effect.succeed(notSent(command.delivery)))
      case "Postpone":
        return Effect.as(postpone(command.deliveries, command.until), { _tag: "Postponed" })
      case "FindNextDue":
        return orElse("nextDue", findNextDue(command.after), queueFailed)
      case "ProbeQueue":
        return orElse("oldestDue", Effect.as(queue.oldestDue, queueAvailable), queueFailed)
      case "Record":
        return orElse("record", record(command.results), recordFailed)
      case "Report":
        return Effect.as(report(command.report), null)
    }
  }
})

/** Writes a report of the engine to the log. */
export const report = (it: Report): Effect.Effect<void> => {
  switch (it._tag) {
    case "QueueFailed":
      return Outage.log("Warn", "the delivery queue failed", it.error)
    case "ResultsRefused":
      return Outage.log("Warn", "webhook results could not be recorded, and are retried", it.error)
    case "ResultsDiscarded":
      return Outage.log(
        "Error",
        `${counted(it.count, "webhook result was", "webhook results were")} not recorded`,
        it.reason
      )
    case "WebhooksDeferred":
      return Effect.logWarning(
        `webhook results wait, because other transactions lock ${counted(it.count, "webhook", "webhooks")}`
      )
  }
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

type Of<Tag extends Input["_tag"]> = Extract<Input, { readonly _tag: Tag }>

const claimedInput = (claimed: Omit<Of<"Claimed">, "_tag">): Input => ({ _tag: "Claimed", ...claimed })
const attempted = (result: DeliveryResult): Input => ({ _tag: "Attempted", result })
const notSent = (delivery: ClaimedDelivery): Input => ({ _tag: "NotSent", delivery })
const nextDue = (inMillis: number): Input => ({ _tag: "NextDue", inMillis })
const recordedInput = (deferred: ReadonlyArray<number>): Input => ({ _tag: "Recorded", deferred })
const queueAvailable: Input = { _tag: "QueueAvailable" }
const queueFailed = (error: StorageError): Input => ({ _tag: "QueueFailed", error })
const recordFailed = (error: StorageError): Input => ({ _tag: "RecordFailed", error })

/**
 * Returns the input that follows from a call of the queue. A failure, a defect or an interruption of the queue becomes an
 * input as well: a pool of connections that closes interrupts the calls that wait for it. Without an input the engine
 * would wait for this call for ever, and could not stop. An interruption of the command itself is not caught.
 */
const orElse = <R>(
  operation: string,
  call: Effect.Effect<Input, StorageError, R>,
  failed: (error: StorageError) => Input
): Effect.Effect<Input, never, R> =>
  call.pipe(
    Effect.catchDefect((cause) => Effect.fail(new StorageError({ reason: "unknown", operation, cause }))),
    Effect.catchCauseIf(Cause.hasInterruptsOnly, (cause) =>
      Effect.fail(new StorageError({ reason: "unavailable", operation, cause: Cause.squash(cause) }))
    ),
    Effect.catch((error) => Effect.succeed(failed(error)))
  )
