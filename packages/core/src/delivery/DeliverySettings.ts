import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { maxRetries } from "./Delivery.ts"
import { contractPlan } from "./RetryPlan.ts"
import { defaultPrefix, prefixForm } from "../webhook-event/WebhookHeaders.ts"

/** By how much a lease outlasts the deadline of a request at least. */
export const leaseMargin: Duration.Duration = Duration.seconds(10)

const Positive = Schema.Int.check(Schema.isGreaterThan(0))

const Span = Schema.Duration.check(
  Schema.makeFilter((span: Duration.Duration) => Duration.isFinite(span) && Duration.isPositive(span), {
    expected: "a finite duration above zero"
  })
)

/**
 * How deliveries are sent. Every part has the value of the contract or of the design as its default.
 *
 * A lease that does not outlast the deadline by 10 seconds is refused, because a delivery could then be sent by two at
 * once: `make` throws, `makeEffect` fails.
 */
export class DeliverySettings extends Schema.Class<DeliverySettings>("@frontdesk/core/delivery/DeliverySettings")(
  Schema.Struct({
    /** The wait before each retry (C-6.4-2), at most 20. */
    retryDelays: Schema.Array(Span)
      .check(Schema.isMaxLength(maxRetries))
      .pipe(Schema.withConstructorDefault(Effect.succeed(contractPlan))),
    /** The deadline of a request, from name resolution to the head of the answer (C-6.4-1). */
    timeout: Span.pipe(Schema.withConstructorDefault(Effect.succeed(Duration.seconds(10)))),
    /** For how long a delivery that was taken is nobody else's. */
    lease: Span.pipe(Schema.withConstructorDefault(Effect.succeed(Duration.seconds(30)))),
    /** How many deliveries of the process are in flight at most. */
    maxInFlight: Positive.pipe(Schema.withConstructorDefault(Effect.succeed(256))),
    /** How many of those go to one webhook at most. */
    maxInFlightPerWebhook: Positive.pipe(Schema.withConstructorDefault(Effect.succeed(8))),
    /**
     * How often a delivery is taken without a result before it is given up: its body may kill the process. With 2 or
     * more, what only was there when the process died is sent all the same (`Suspects`).
     */
    maxClaims: Positive.pipe(Schema.withConstructorDefault(Effect.succeed(10))),
    /** How often the store is asked when nothing wakes the dispatcher. */
    pollInterval: Span.pipe(Schema.withConstructorDefault(Effect.succeed(Duration.seconds(1)))),
    /** How many results are recorded without waiting for more; under load half of what is in flight, if that is more. */
    batchSize: Positive.pipe(Schema.withConstructorDefault(Effect.succeed(50))),
    /** For how long the first result of a batch waits for others. */
    batchDelay: Span.pipe(Schema.withConstructorDefault(Effect.succeed(Duration.millis(10)))),
    /** For how long events are kept, counted from when they happened; null: for ever. See `DeliveryRetentionWorker`. */
    retention: Schema.NullOr(Span).pipe(Schema.withConstructorDefault(Effect.succeed(Duration.days(30)))),
    /**
     * The name under which a process leases deliveries and tasks of the outbox, the same after a restart and never that
     * of two processes at once: what its predecessor held is released at its start. Null: a name of its own, and the
     * predecessor's leases run out.
     */
    owner: Schema.NullOr(Schema.NonEmptyString).pipe(Schema.withConstructorDefault(Effect.succeed(null))),
    /** What the headers of C-6.3-1 begin with. */
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

/** The settings in force; those of the contract unless provided. */
export const CurrentDeliverySettings = Context.Reference<DeliverySettings>(
  "@frontdesk/core/delivery/CurrentDeliverySettings",
  { defaultValue: () => new DeliverySettings({}) }
)
