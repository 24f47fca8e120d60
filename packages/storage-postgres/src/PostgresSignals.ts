import { PgClient } from "@effect/sql-pg/PgClient"
import { ReminderSignal } from "@frontdesk/core/reminder/ReminderSignal"
import { OutboxSignal } from "@frontdesk/core/outbox/Outbox"
import * as Outage from "@frontdesk/core/storage/Outage"
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

/** Where nodes tell each other that there is work; a notification is the node's name and the signals it gave. */
const channel = "frontdesk_signals"

/** A node notifies the others at most this often, whatever it commits. */
const pause = Duration.millis(20)

/** After so long without any notification a node sends itself one, to see that it still hears. */
const silence = Duration.seconds(30)

/** How long that one may take. */
const patience = Duration.seconds(10)

/** How long a first notification may take to be heard. */
const proof = Duration.seconds(5)

/** How long a node waits before it listens again. */
const beforeNext = Duration.seconds(1)

/**
 * Makes each signal of one node wake all nodes on its database.
 *
 * Notifications are sent after the commit, on their own and many commits in one, because PostgreSQL lets transactions
 * that notify commit one at a time. One may be lost, with its node or with the connection that listens: then the work is
 * found at the next poll. A connection that hears nothing any more is replaced.
 *
 * Behind a pooler in transaction mode, without a URL to listen on, it does nothing. With one it fails when what is
 * notified is not heard there.
 */
export const layer = ({ listenUrl, pooler }: Pick<PostgresConfig, "pooler" | "listenUrl"> = {}): Layer.Layer<
  never,
  ListenError | SqlError,
  PgClient
> => {
  if (listenUrl !== undefined) return Layer.provide(connected, Layer.effectDiscard(prove))
  return pooler === undefined ? connected : Layer.empty
}

/** Sends a notification and hears it: else the URL to listen on leads somewhere else. */
const prove = Effect.gen(function* () {
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
      duration: proof,
      orElse: () => Effect.fail(new ListenError({ reason: "deaf", cause: "nothing was heard" }))
    })
  )
}).pipe(Effect.scoped)

const connected = Layer.effectDiscard(
  Effect.gen(function* () {
    const client = yield* PgClient
    const signals = { delivery: yield* DeliverySignal, reminder: yield* ReminderSignal, outbox: yield* OutboxSignal }
    const node = randomUUID()

    const given = new Set<string>()
    const some = Latch.makeUnsafe(false)
    for (const [name, signal] of Object.entries(signals)) {
      yield* signal.forward(() => {
        given.add(name)
        some.openUnsafe()
      })
    }
    const notify = (names: Iterable<string>) =>
      // Who cannot reach the database is heard of elsewhere; the others find the work when they poll.
      Effect.ignoreCause(client.notify(channel, [node, ...names].join(" ")), { log: "Debug" })
    const send = Effect.gen(function* () {
      yield* some.await
      some.closeUnsafe()
      const names = [...given]
      given.clear()
      yield* notify(names)
      yield* Effect.sleep(pause)
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
      if (isWarned) yield* Effect.logInfo("signals of other nodes are heard again")
      failures = 0
      isWarned = false
      // What was signalled while nobody listened.
      yield* notifyAllLocally
      const hear = Effect.flatMap(Queue.take(notifications), ({ payload }) => receive(payload))
      const hearOwn = Effect.andThen(notify([]), Effect.timeout(hear, patience))
      return yield* Effect.forever(Effect.timeoutOrElse(hear, { duration: silence, orElse: () => hearOwn }))
    }).pipe(
      Effect.scoped,
      Effect.catchCause(
        Effect.fnUntraced(function* (cause) {
          failures += 1
          // A connection that can be replaced is no news, nor is an outage that its client says. It is tried every second.
          const isNews = failures > 1 && !isWarned && !Outage.isReported(cause)
          if (isNews) isWarned = true
          yield* Effect.logWithLevel(isNews ? "Warn" : "Debug")(
            "signals of other nodes are not heard; their work is found by asking",
            cause
          )
        })
      ),
      Effect.andThen(Effect.sleep(beforeNext))
    )
    yield* Effect.forkScoped(Effect.forever(send))
    yield* Effect.forkScoped(Effect.forever(listen))
  })
).pipe(Layer.provide([DeliverySignal.layer, ReminderSignal.layer, OutboxSignal.layer]))
