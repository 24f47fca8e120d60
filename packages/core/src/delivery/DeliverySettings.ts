import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { maxRetries } from "./Delivery.ts"
import { contractPlan } from "./RetryPlan.ts"
import { defaultPrefix, prefixForm } from "../webhook-event/WebhookHeaders.ts"

/** The minimum time from the timeout of a request until the end of its lease. */
export const leaseMargin: Duration.Duration = Duration.seconds(10)

const Positive = Schema.Int.check(Schema.isGreaterThan(0))

const Span = Schema.Duration.check(
  Schema.makeFilter((span: Duration.Duration) => Duration.isFinite(span) && Duration.isPositive(span), {
    expected: "a finite duration above zero"
  })
)

/**
 * How deliveries are sent. Every setting has a default, which is that of the contract where the contract has one.
 *
 * `make` throws and `makeEffect` fails when the lease is not at least 10 seconds longer than the timeout. With a
 * shorter lease two processes could send the same delivery at once.
 */
export class DeliverySettings extends Schema.Class<DeliverySettings>("@frontdesk/core/delivery/DeliverySettings")(
  Schema.Struct({
    /** The wait before each retry (C-6.4-2). There are at most 20 retries. */
    retryDelays: Schema.Array(Span)
      .check(Schema.isMaxLength(maxRetries))
      .pipe(Schema.withConstructorDefault(Effect.succeed(contractPlan))),
    /** The timeout of a request, from name resolution to the head of the answer (C-6.4-1). */
    timeout: Span.pipe(Schema.withConstructorDefault(Effect.succeed(Duration.seconds(10)))),
    /** For how long no other process claims a delivery after a claim. */
    lease: Span.pipe(Schema.withConstructorDefault(Effect.succeed(Duration.seconds(30)))),
    /** The maximum number of deliveries that a process has in flight. Deferred results do not count. */
    maxInFlight: Positive.pipe(Schema.withConstructorDefault(Effect.succeed(256))),
    /** The maximum number of deliveries to one webhook that a process sends at once. */
    maxInFlightPerWebhook: Positive.pipe(Schema.withConstructorDefault(Effect.succeed(8))),
    /**
     * The number of claims without a result after which a delivery is given up, because it may kill the process. If the
     * number is 2 or more, deliveries that were only in flight beside it are still sent (`PoisonIsolation`).
     */
    maxClaims: Positive.pipe(Schema.withConstructorDefault(Effect.succeed(10))),
    /** Poll interval: how often the worker looks for due deliveries without a notification. */
    pollInterval: Span.pipe(Schema.withConstructorDefault(Effect.succeed(Duration.seconds(1)))),
    /**
     * The number of results that are recorded without waiting for more. If half of the deliveries that
     * are being sent or have a new result is more, that number counts.
     */
    batchSize: Positive.pipe(Schema.withConstructorDefault(Effect.succeed(50))),
    /** How long the first result of a batch waits for others. */
    batchDelay: Span.pipe(Schema.withConstructorDefault(Effect.succeed(Duration.millis(10)))),
    /** How long webhook events are stored after they happened; null: for ever. See `DeliveryRetentionWorker`. */
    retention: Schema.NullOr(Span).pipe(Schema.withConstructorDefault(Effect.succeed(Duration.days(30)))),
    /**
     * The name under which a process claims deliveries and tasks of the outbox. It must stay the same after a restart,
     * and two processes must not have it at once. A process that starts recovers the leases of its name at once. With
     * null each process has a random name, and the leases of a dead process end by themselves.
     */
    owner: Schema.NullOr(Schema.NonEmptyString).pipe(Schema.withConstructorDefault(Effect.succeed(null))),
    /** The prefix of the headers of C-6.3-1 to C-6.3-3. */
    headerPrefix: Schema.String.check(Schema.isPattern(prefixForm)).pipe(
      Schema.withConstructorDefault(Effect.succeed(defaultPrefix))
    )
  }).check(
    Schema.makeFilter(
      ({ lease, timeout }) => Duration.isGreaterThanOrEqualTo(lease, Duration.sum(timeout, leaseMargin)),
      { expected: "a lease that outlasts the timeout by 10 seconds or more" }
    )
  )
) {}

/** The settings in use; the defaults unless a program provides others. */
export const CurrentDeliverySettings = Context.Reference<DeliverySettings>(
  "@frontdesk/core/delivery/CurrentDeliverySettings",
  { defaultValue: () => new DeliverySettings({}) }
)
