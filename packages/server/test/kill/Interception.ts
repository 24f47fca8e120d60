import { appendFileSync } from "node:fs"
import process from "node:process"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { SlotHoldStore } from "@frontdesk/core/availability/SlotHoldStore"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { ReminderStore } from "@frontdesk/core/reminder/ReminderStore"
import { CallProvider } from "@frontdesk/core/call/CallProvider"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { ToolCallStore } from "@frontdesk/core/call/ToolCallStore"
import { IdempotencyStore } from "@frontdesk/core/idempotency/IdempotencyStore"
import { Mailer } from "@frontdesk/core/mail/Mailer"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { WebhookSender } from "@frontdesk/core/delivery/WebhookSender"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import { FaultInjection, storageError, wrap } from "@frontdesk/testing/FaultInjection"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Adapters } from "frontdesk/Assembly"

/** The point at which the process kills itself, or suspends itself until it receives SIGCONT. */
export interface Kill {
  readonly signal: "SIGKILL" | "SIGSTOP"
  readonly point: string
  readonly when: "before" | "after"
  /** The number of the pass, from 1. */
  readonly pass: number
}

/** The members of ports that the open transaction has called; null outside of a transaction. */
const Unit = Context.Reference<Set<string> | null>("frontdesk/test/kill/Unit", { defaultValue: () => null })

const uncommitted = "DeliveryQueue.record uncommitted"

const inGroup = "Transaction.run in a group"

/**
 * Fault injection with additional points: the commit of a transaction that has called a member, a claim that claimed
 * something, and a send that is not the first of its claim.
 */
const points = (kill: Kill | null, say: (point: string) => Effect.Effect<void>) =>
  Layer.effect(
    FaultInjection,
    Effect.gen(function* () {
      const faults = yield* FaultInjection
      if (kill !== null) {
        const die = Effect.andThen(
          say(`${kill.signal} ${kill.when} pass ${kill.pass} of ${kill.point}`),
          Effect.sync(() => void process.kill(process.pid, kill.signal))
        )
        const fault = kill.when === "before" ? { before: die } : { after: die }
        yield* faults.set(kill.point, { fault, after: kill.pass - 1, times: 1 })
      }
      const pass = (point: string) =>
        faults
          .around(
            point,
            () => point
          )(Effect.void)
          .pipe(Effect.ignore)
      let sentOfClaim = 0

      const unit = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        Effect.suspend(() => {
          const called = new Set<string>()
          return effect.pipe(
            Effect.provideService(Unit, called),
            Effect.tap(() => Effect.forEach(called, (member) => pass(`commit of ${member}`), { discard: true }))
          )
        })

      return FaultInjection.of({
        ...faults,
        around: (point, error) => (effect) =>
          Effect.flatMap(Unit, (called) => {
            called?.add(point)
            const passed = faults.around(point, error)(effect)
            switch (point) {
              case "Transaction.run":
                return called === null ? unit(passed) : passed
              case "DeliveryQueue.claim":
              case "OutboxStore.claim":
                return Effect.tap(passed, (taken) => {
                  if (!Array.isArray(taken) || taken.length === 0) return Effect.void
                  if (point === "DeliveryQueue.claim") sentOfClaim = 0
                  return Effect.andThen(say(`${point} ${taken.length}`), pass(`${point} taken`))
                })
              case "WebhookSender.send":
                sentOfClaim += 1
                return sentOfClaim === 1 ? passed : Effect.andThen(pass("WebhookSender.send not alone"), passed)
              default:
                return passed
            }
          })
      })
    })
  ).pipe(Layer.provide(FaultInjection.layer()))

/** Writes each send to the trace before it is passed on. The mailer only writes to the trace and sends no mail. */
const recordSends = (adapters: Adapters, say: (what: string) => Effect.Effect<void>): Adapters =>
  Layer.mergeAll(
    Layer.effect(
      WebhookSender,
      Effect.map(WebhookSender, (sender) =>
        WebhookSender.of({
          ...sender,
          send: (request) =>
            Effect.andThen(
              say(`send ${request.headers["webhook-id"] ?? ""}`),
              Effect.suspend(() => sender.send(request))
            )
        })
      )
    ),
    Layer.succeed(
      Mailer,
      Mailer.of({
        enabled: true,
        organizer: null,
        send: ({ event, kind }) => say(`mail ${kind} ${event.id} ${event.title}`),
        check: Effect.succeed({ isUsable: true, says: "" })
      })
    )
  ).pipe(Layer.provideMerge(adapters))

/** Writes each claim to the trace twice: at its begin, and with the claimed deliveries at its end. */
const recordClaims = (adapters: Adapters, say: (what: string) => Effect.Effect<void>): Adapters =>
  Layer.effect(
    DeliveryQueue,
    Effect.map(DeliveryQueue, (queue) =>
      DeliveryQueue.of({
        ...queue,
        claim: (request) =>
          say("claiming").pipe(
            Effect.andThen(queue.claim(request)),
            Effect.tap((claimed) => say(`claimed ${claimed.map(({ id }) => id).join()}`))
          )
      })
    )
  ).pipe(Layer.provideMerge(adapters))

/** Adds a point to `DeliveryQueue.record` at which its transaction is still open. */
const recordInTransaction = (
  adapters: Adapters
): Layer.Layer<Layer.Success<Adapters>, Layer.Error<Adapters>, FaultInjection> =>
  Layer.effect(
    DeliveryQueue,
    Effect.gen(function* () {
      const faults = yield* FaultInjection
      const queue = yield* DeliveryQueue
      const transaction = yield* Transaction
      return DeliveryQueue.of({
        ...queue,
        record: (results, now) =>
          queue.record(results, now).pipe(
            Effect.tap(() => Effect.ignore(faults.around(uncommitted, () => uncommitted)(Effect.void))),
            transaction.run
          )
      })
    })
  ).pipe(Layer.provideMerge(adapters))

/** Adds a point at the end of each transaction that ends while another one waits for the COMMIT. */
const recordGroups = (
  adapters: Adapters
): Layer.Layer<Layer.Success<Adapters>, Layer.Error<Adapters>, FaultInjection> =>
  Layer.effect(
    Transaction,
    Effect.gen(function* () {
      const faults = yield* FaultInjection
      const transaction = yield* Transaction
      const pass = Effect.ignore(faults.around(inGroup, () => inGroup)(Effect.void))
      const waiting = new Set<object>()
      return Transaction.of({
        run: (effect) =>
          Effect.suspend(() => {
            const member = {}
            const ended = Effect.suspend(() => (waiting.add(member).size > 1 ? pass : Effect.void))
            return Effect.ensuring(
              transaction.run(Effect.tap(effect, () => ended)),
              Effect.sync(() => waiting.delete(member))
            )
          })
      })
    })
  ).pipe(Layer.provideMerge(adapters))

/** Wraps the ports with kill points, at one of which the process kills itself, and writes a trace to a file. */
export const around =
  (kill: Kill | null, trace: string, pid = process.pid) =>
  (adapters: Adapters): Adapters => {
    const say = (what: string) =>
      Effect.map(Clock.currentTimeMillis, (now) => appendFileSync(trace, `${now} ${pid} ${what}\n`))
    const error = storageError("unavailable")
    const sends = recordClaims(recordSends(adapters, say), say)
    const more =
      kill?.point === uncommitted ? recordInTransaction(sends) : kill?.point === inGroup ? recordGroups(sends) : sends
    return more.pipe(
      (layer) => wrap(Transaction, layer, error),
      (layer) => wrap(AccountStore, layer, error),
      (layer) => wrap(CalendarEventStore, layer, error),
      (layer) => wrap(SlotHoldStore, layer, error),
      (layer) => wrap(ToolCallStore, layer, error),
      (layer) => wrap(ReminderStore, layer, error),
      (layer) => wrap(CallStore, layer, error),
      (layer) => wrap(CallProvider, layer, error),
      (layer) => wrap(IdempotencyStore, layer, error),
      (layer) => wrap(OutboxStore, layer, error),
      (layer) => wrap(DeliveryStore, layer, error),
      (layer) => wrap(DeliveryQueue, layer, error),
      (layer) => wrap(WebhookStore, layer, error),
      (layer) => wrap(WebhookSender, layer, error),
      (layer) => wrap(Mailer, layer, error),
      Layer.provide(points(kill, say))
    )
  }
