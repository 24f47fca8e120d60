import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Timestamp from "../values/Timestamp.ts"
import { Crypto } from "../crypto/Crypto.ts"
import * as Outage from "../storage/Outage.ts"
import { StorageError } from "../storage/StorageError.ts"
import * as Lease from "../worker/Lease.ts"
import * as Predecessor from "../worker/Predecessor.ts"
import * as Signal from "../worker/Signal.ts"
import type { ClaimedDelivery, DeliveryResult } from "./Delivery.ts"
import * as DeliveryAttempt from "./DeliveryAttempt.ts"
import * as DeliveryMetrics from "./DeliveryMetrics.ts"
import { DeliveryQueue } from "./DeliveryQueue.ts"
import { CurrentDeliverySettings } from "./DeliverySettings.ts"
import { DeliverySignal } from "./DeliverySignal.ts"
import * as InFlight from "./InFlight.ts"
import * as Quarantine from "./Quarantine.ts"
import * as ResultRecorder from "./ResultRecorder.ts"
import * as SecretOpening from "./SecretOpening.ts"
import type { WebhookId } from "./Webhook.ts"
import type { WebhookSender } from "./WebhookSender.ts"

/** When a delivery is tried again whose secret cannot be opened: until then its owner may have a new one. */
const openAgain = Duration.minutes(1)

/**
 * For how long nothing is claimed at most once a store that was out of reach answers again: some processes may still
 * wait in calls that they made before.
 */
const claimAfter = Duration.seconds(5)

/** How often is looked how long deliveries have been waiting. */
const measureEvery = Duration.seconds(5)

/** Sends what is due: takes deliveries, makes one attempt each, records what came of it (Contract 6.4, Decisions 8). */
export class Dispatcher extends Context.Service<
  Dispatcher,
  {
    /**
     * Takes what is due and can start now, sends it all at once, and records the results. Answers how many were sent.
     * For tests, and for programs that deliver from a timer of their own.
     */
    readonly runOnce: Effect.Effect<number, StorageError>
    /** Does `runOnce` until nothing that is due can be sent. Answers how many were sent. */
    readonly drain: Effect.Effect<number, StorageError>
    /**
     * Delivers until it is interrupted; what is in flight then is finished and recorded first. Wakes at a signal, when
     * the next delivery is due, when a result is recorded, and each poll interval; it works with the last alone. A
     * store that fails is asked again at the next poll. After one that was out of reach nothing is claimed for as long
     * again, up to 5 seconds, and nothing of a webhook while results of it wait to be recorded.
     */
    readonly run: Effect.Effect<never>
    /** How many deliveries this process is sending now, by webhook; those with none are not in it. */
    readonly inFlight: Effect.Effect<ReadonlyMap<WebhookId, number>>
  }
>()("@frontdesk/core/webhook/Dispatcher") {
  /** The service alone: nothing is sent until it is told to run. Reads `CurrentDeliverySettings` once. */
  static readonly layer: Layer.Layer<Dispatcher, never, DeliveryQueue | WebhookSender | Crypto> = Layer.effect(
    Dispatcher,
    Effect.gen(function* () {
      const settings = yield* CurrentDeliverySettings
      const queue = yield* DeliveryQueue
      const latch = yield* (yield* DeliverySignal).listen
      const openSecrets = yield* SecretOpening.make
      const crypto = yield* Crypto
      const context = yield* Effect.context<DeliveryQueue | WebhookSender | Crypto>()
      const owner = settings.owner ?? (yield* crypto.uuid)
      const inFlight = InFlight.make(settings.maxInFlight, settings.maxInFlightPerWebhook, () => latch.openUnsafe())
      const quarantine = Quarantine.make(settings.maxClaims, settings.maxInFlight)

      const sent = ({ attempt, webhookId }: DeliveryResult) => {
        inFlight.took(webhookId, attempt.durationMs)
        inFlight.sent(webhookId)
      }
      const recorded = (claims: ReadonlyArray<Pick<ClaimedDelivery, "key" | "leaseId">>) => {
        for (const claim of claims) quarantine.leave(claim)
        inFlight.recorded(claims.length)
      }

      /** Puts back some of a claim; when that fails, their lease runs out. */
      const putBack = (some: ReadonlyArray<ClaimedDelivery>, leaseId: string, until: DateTime.Utc) => {
        const keys = some.map(({ key }) => key)
        return keys.length === 0
          ? Effect.void
          : Effect.ignoreCause(queue.postpone(keys, leaseId, until), { log: "Warn" })
      }

      /** Makes one attempt. What is not sent after all is put back, and due at once. */
      const attempt = Effect.fnUntraced(function* (delivery: ClaimedDelivery, lease: Lease.Lease) {
        const result = yield* DeliveryAttempt.send(delivery, lease)
        if (Option.isNone(result)) {
          yield* Effect.logInfo("a webhook delivery was put back: its claim was too old to be sent").pipe(
            Effect.annotateLogs({ deliveryId: delivery.id, webhookId: delivery.webhookId })
          )
          yield* putBack([delivery], delivery.leaseId, yield* DateTime.now)
        }
        return result
      })

      // What is claimed counts as in flight in the same step, so that an interruption cannot come between.
      const claim = Effect.fnUntraced(function* (now: DateTime.Utc) {
        const lease = yield* Lease.begin(now, { length: settings.lease, timeout: settings.timeout })
        const limit = inFlight.room()
        if (limit === 0) return { admitted: [], lease, isAgain: false }
        const leaseId = yield* crypto.uuid
        const claimed = yield* queue.claim({
          now,
          leaseUntil: Timestamp.after(now, settings.lease),
          leaseId,
          owner,
          limit,
          perWebhook: settings.maxInFlightPerWebhook,
          inFlight: inFlight.forClaim()
        })
        const [readable, unreadable] = yield* openSecrets(claimed, now)
        yield* putBack(unreadable, leaseId, Timestamp.after(now, openAgain))
        const [admitted, refused] = quarantine.admit(readable)
        yield* putBack(refused, leaseId, Timestamp.after(now, settings.pollInterval))
        for (const delivery of admitted) inFlight.start(delivery.webhookId)
        const isTurnToCome = inFlight.claimed()
        yield* Metric.update(DeliveryMetrics.inFlight, inFlight.count())
        // What was put back took places that others may have.
        return { admitted, lease, isAgain: isTurnToCome || admitted.length < claimed.length }
      }, Effect.uninterruptible)

      const claimSome = Effect.sync(inFlight.round).pipe(
        Effect.andThen(
          Effect.repeat(Effect.flatMap(DateTime.now, claim), {
            while: ({ admitted, isAgain }) => isAgain && admitted.length === 0
          })
        )
      )

      const runOnce = Effect.acquireUseRelease(
        claimSome,
        Effect.fnUntraced(function* ({ admitted, lease }) {
          const attempts = yield* Effect.forEach(admitted, (delivery) => attempt(delivery, lease), {
            concurrency: "unbounded"
          })
          const results = Arr.getSomes(attempts)
          for (const { attempt, webhookId } of results) inFlight.took(webhookId, attempt.durationMs)
          if (results.length > 0) yield* ResultRecorder.record(results)
          return results.length
        }),
        ({ admitted }) =>
          Effect.sync(() => {
            for (const delivery of admitted) inFlight.sent(delivery.webhookId)
            recorded(admitted)
          })
      ).pipe(Effect.withSpan("Dispatcher.runOnce"), Effect.provide(context))

      const drain = Effect.gen(function* () {
        let total = 0
        for (let sent = yield* runOnce; sent > 0; sent = yield* runOnce) total += sent
        return total
      })

      const measure = queue.oldestDue.pipe(
        Effect.flatMap((oldest) => Effect.flatMap(DateTime.now, (now) => DeliveryMetrics.waited(oldest, now))),
        // A store that fails is spoken of by whoever claims.
        Effect.ignoreCause,
        Effect.andThen(Effect.sleep(measureEvery)),
        Effect.forever
      )

      const run = Effect.gen(function* () {
        const recorder = yield* ResultRecorder.make(inFlight, (results) => {
          recorded(results)
          latch.openUnsafe()
        })
        const sending = yield* FiberSet.make<void>()
        const start = yield* FiberSet.runtime(sending)<DeliveryQueue | WebhookSender | Crypto>()
        yield* Effect.addFinalizer(() => FiberSet.awaitEmpty(sending))
        yield* Predecessor.release("deliveries", settings.owner, queue.release)
        yield* Effect.forkScoped(measure)

        const unsent = (delivery: ClaimedDelivery) => {
          inFlight.sent(delivery.webhookId)
          recorded([delivery])
          latch.openUnsafe()
        }
        const deliver = (delivery: ClaimedDelivery, lease: Lease.Lease) =>
          Effect.matchCause(attempt(delivery, lease), {
            onSuccess: Option.match({
              onNone: () => unsent(delivery),
              onSome: (result) => {
                sent(result)
                recorder.offer(result)
              }
            }),
            onFailure: () => unsent(delivery)
          })

        const claimAndSend = Effect.gen(function* () {
          const { admitted, isAgain, lease } = yield* claim(yield* DateTime.now)
          for (const delivery of admitted) start(deliver(delivery, lease))
          return isAgain
        }).pipe(Effect.uninterruptible)

        // A signal that comes during a round stays for the next one, which gives everybody a turn again.
        const round = Effect.gen(function* () {
          latch.closeUnsafe()
          inFlight.round()
          const now = yield* DateTime.now
          yield* Effect.repeat(claimAndSend, { while: (isAgain) => isAgain })
          return now
        })

        const waitForWork = (nextDue: Option.Option<DateTime.Utc>) => Signal.wait(latch, nextDue, settings.pollInterval)

        const storeFailed = (error: unknown): Effect.Effect<void> =>
          Effect.andThen(
            Outage.log("Warn", "the delivery store failed", error),
            error instanceof StorageError && error.reason === "unavailable" ? storeIsBack : waitForWork(Option.none())
          )

        // Every process may have results then whose leases have ended, and of those of another nobody knows: so nobody
        // claims until all had the time to record theirs.
        const storeIsBack = Effect.sleep(settings.pollInterval).pipe(
          Effect.andThen(queue.oldestDue),
          Effect.retry({ while: (error) => error.reason === "unavailable" }),
          Effect.timed,
          Effect.flatMap(([away]) => Effect.sleep(Duration.min(away, claimAfter))),
          Effect.catch(storeFailed),
          Effect.catchDefect(storeFailed)
        )

        const step = round.pipe(
          // What was due when it began was taken, or waits for a place or for an earlier event: a recorded result wakes
          // the loop. What has come due since is claimed at once.
          Effect.flatMap(queue.nextDue),
          Effect.flatMap(waitForWork),
          Effect.catch(storeFailed),
          Effect.catchDefect(storeFailed),
          // Whatever else wakes it at the same moment is served by the same claim.
          Effect.andThen(Effect.yieldNow)
        )
        return yield* Effect.raceFirst(Effect.forever(step), recorder.failure)
      }).pipe(Effect.scoped, Effect.provide(context))

      return Dispatcher.of({ runOnce, drain, run, inFlight: Effect.sync(inFlight.byWebhook) })
    })
  ).pipe(Layer.provide(DeliverySignal.layer))
}
