import { PgClient } from "@effect/sql-pg/PgClient"
import { AccessChanges } from "@frontdesk/core/access/AccessChanges"
import { ReminderSignal } from "@frontdesk/core/reminder/ReminderSignal"
import { OutboxSignal } from "@frontdesk/core/outbox/Outbox"
import * as Outage from "@frontdesk/core/storage/Outage"
import * as LogEvent from "@frontdesk/core/values/LogEvent"
import { DeliverySignal } from "@frontdesk/core/delivery/DeliverySignal"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import type { SqlError } from "effect/sql/SqlError"
import { randomUUID } from "node:crypto"
import * as UnavailableReason from "./client/UnavailableReason.ts"
import { ListenError } from "./ListenError.ts"
import type { PostgresConfig } from "./PostgresConfig.ts"

/**
 * The channel on which nodes notify each other of work. A notification has the id of its node and the names of the
 * signals.
 */
const channel = "frontdesk_signals"

/** The minimum time between two notifications of one node, however much it commits (D-PG-24). */
const minInterval = Duration.millis(20)

/**
 * The time without any notification after which a node notifies itself, to check that it still receives notifications.
 */
const maxSilence = Duration.seconds(30)

/** How long that notification may take to arrive. */
const echoTimeout = Duration.seconds(10)

/** How long the notification that checks `listenUrl` may take to arrive. */
const checkTimeout = Duration.seconds(5)

/** The pause before a node listens again. */
const reconnectPause = Duration.seconds(1)

/**
 * Passes each signal of one node on to all nodes on its database.
 *
 * Notifications are sent after the commit and apart from it, many commits in one, because PostgreSQL commits
 * transactions with notifications one at a time. A notification can be lost, with its node or with the connection that
 * listens. Then the next poll finds the work. A connection that no longer receives notifications is replaced.
 *
 * With `listenUrl` the layer fails if no notification arrives there (D-PG-25). Behind a pooler in transaction mode and
 * without `listenUrl` the layer does nothing.
 */
export const layer = ({ listenUrl, pooler }: Pick<PostgresConfig, "pooler" | "listenUrl"> = {}): Layer.Layer<
  never,
  ListenError | SqlError,
  PgClient
> => {
  if (listenUrl !== undefined) return Layer.provide(connected, Layer.effectDiscard(checkListenUrl))
  return pooler === undefined ? connected : Layer.empty
}

/** Sends a notification and waits until it arrives. Fails if `listenUrl` cannot be used. */
const checkListenUrl = Effect.gen(function* () {
  const client = yield* PgClient
  const payload = randomUUID()
  const notifications = yield* client
    .listen(channel)
    .pipe(
      Effect.mapError(
        (cause) => new ListenError({ reason: UnavailableReason.isRefused(cause) ? "refused" : "unreachable", cause })
      )
    )
  yield* client.notify(channel, payload)
  yield* Queue.take(notifications).pipe(
    Effect.mapError((cause) => new ListenError({ reason: "unreachable", cause })),
    Effect.repeat({ until: (heard) => heard.payload === payload }),
    Effect.timeoutOrElse({
      duration: checkTimeout,
      orElse: () => Effect.fail(new ListenError({ reason: "deaf", cause: "no notification arrived" }))
    })
  )
}).pipe(Effect.scoped)

const connected = Layer.effectDiscard(
  Effect.gen(function* () {
    const client = yield* PgClient
    const signals = {
      access: (yield* AccessChanges).signal,
      delivery: yield* DeliverySignal,
      reminder: yield* ReminderSignal,
      outbox: yield* OutboxSignal
    }
    const node = randomUUID()

    const pending = new Set<string>()
    const isPending = Latch.makeUnsafe(false)
    for (const [name, signal] of Object.entries(signals)) {
      yield* signal.forward(() => {
        pending.add(name)
        isPending.openUnsafe()
      })
    }
    const notify = (names: Iterable<string>) =>
      // Other statements report that the database is unreachable, and the other nodes find the work when they poll.
      Effect.ignoreCause(client.notify(channel, [node, ...names].join(" ")), { log: "Debug" })
    const send = Effect.gen(function* () {
      yield* isPending.await
      isPending.closeUnsafe()
      const names = [...pending]
      pending.clear()
      yield* notify(names)
      yield* Effect.sleep(minInterval)
    })

    const notifyAllLocally = Effect.forEach(Object.values(signals), ({ notifyLocally }) => notifyLocally, {
      discard: true
    })
    const receive = Effect.fnUntraced(function* (payload: string) {
      const [from, ...names] = payload.split(" ")
      if (from === node) return
      for (const [name, { notifyLocally }] of Object.entries(signals)) if (names.includes(name)) yield* notifyLocally
    })
    let failures = 0
    let isWarned = false
    const listen = Effect.gen(function* () {
      const notifications = yield* client.listen(channel)
      if (isWarned) {
        yield* Effect.logInfo("Signals of other nodes are received again").pipe(LogEvent.annotate("signals.received"))
      }
      failures = 0
      isWarned = false
      // Signals may have been missed while the node did not listen.
      yield* notifyAllLocally
      const hear = Effect.flatMap(Queue.take(notifications), ({ payload }) => receive(payload))
      const hearOwn = Effect.andThen(notify([]), Effect.timeout(hear, echoTimeout))
      return yield* Effect.forever(Effect.timeoutOrElse(hear, { duration: maxSilence, orElse: () => hearOwn }))
    }).pipe(
      Effect.scoped,
      Effect.catchCause(
        Effect.fnUntraced(function* (cause) {
          failures += 1
          // A single failure is not logged as a warning, because the connection can be replaced at once. Nor is an
          // outage, which the client reports. Further attempts, one each second, are not logged as warnings either.
          const isWarning = failures > 1 && !isWarned && !Outage.isReported(cause)
          if (isWarning) isWarned = true
          yield* Effect.logWithLevel(isWarning ? "Warn" : "Debug")(
            "Signals of other nodes are not received. This node finds their work by polling.",
            cause
          ).pipe(LogEvent.annotate("signals.missed"))
        })
      ),
      Effect.andThen(Effect.sleep(reconnectPause))
    )
    yield* Effect.forkScoped(Effect.forever(send))
    yield* Effect.forkScoped(Effect.forever(listen))
  })
).pipe(Layer.provide([AccessChanges.layer, DeliverySignal.layer, ReminderSignal.layer, OutboxSignal.layer]))
