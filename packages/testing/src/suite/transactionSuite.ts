import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { TeamStore } from "@frontdesk/core/access/TeamStore"
import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import { ProvisioningStore, type ProvisionedRef } from "@frontdesk/core/provisioning/ProvisioningStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { Money } from "@frontdesk/core/values/Money"
import { BusinessContextStore } from "@frontdesk/core/business-context/BusinessContextStore"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import * as Signal from "@frontdesk/core/background/Signal"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies a `Transaction`. */
export const transactionSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: Transaction`, (it) => {
    it.effect("run returns the result of the effect and commits its writes", () =>
      Effect.gen(function* () {
        const ref = newRef()
        expect(yield* run(write(ref).pipe(Effect.as("done")))).toBe("done")
        expect(yield* exists(ref)).toBe(true)
      })
    )

    it.effect("run fails with the failure of the effect and rolls its writes back", () =>
      Effect.gen(function* () {
        const ref = newRef()
        expect(yield* run(Effect.andThen(write(ref), Effect.fail("no"))).pipe(Effect.flip)).toBe("no")
        expect(yield* exists(ref)).toBe(false)
      })
    )

    it.effect("a transaction that dies is rolled back", () =>
      Effect.gen(function* () {
        const ref = newRef()
        expect(Exit.isFailure(yield* Effect.exit(run(Effect.andThen(write(ref), Effect.die("bug")))))).toBe(true)
        expect(yield* exists(ref)).toBe(false)
      })
    )

    it.effect("a transaction that is interrupted is rolled back", () =>
      Effect.gen(function* () {
        const ref = newRef()
        const written = yield* Deferred.make<void>()
        const body = write(ref).pipe(Effect.andThen(Deferred.succeed(written, undefined)), Effect.andThen(Effect.never))
        const fiber = yield* Effect.forkChild(run(body))
        yield* Deferred.await(written)
        yield* Fiber.interrupt(fiber)
        expect(yield* exists(ref)).toBe(false)
      })
    )

    it.effect("a transaction commits after an earlier one that was rolled back", () =>
      Effect.gen(function* () {
        const ref = newRef()
        yield* run(Effect.andThen(write(ref), Effect.fail("no"))).pipe(Effect.flip)
        yield* run(write(ref))
        expect(yield* exists(ref)).toBe(true)
      })
    )

    it.effect("a read in a transaction sees its earlier writes", () =>
      Effect.gen(function* () {
        const ref = newRef()
        expect(yield* run(Effect.andThen(write(ref), exists(ref)))).toBe(true)
      })
    )

    it.effect("a transaction that fails rolls back the writes of every store", () =>
      Effect.gen(function* () {
        const account = yield* Samples.makeAccount()
        const [contacts, webhooks, business] = [yield* ContactStore, yield* WebhookStore, yield* BusinessContextStore]
        const [accounts, agents] = [yield* AccountStore, yield* AgentStore]
        const written = yield* run(
          Effect.gen(function* () {
            const contact = yield* Samples.makeContact(account.id)
            const team = yield* Samples.makeTeam()
            yield* Samples.makeWebhook(account.id)
            yield* business.write(account.id, { set: { industry: "retail" }, remove: [] })
            yield* Samples.makeAgent(account.id)
            yield* accounts.changeFunds(account.id, { deposits: Money.make(5) }, Samples.cause)
            return yield* Effect.fail({ contact, team })
          })
        ).pipe(Effect.flip)
        if ("reason" in written) return yield* written
        expect(yield* contacts.find(Samples.scopeOf(account), written.contact.id)).toEqual(Option.none())
        expect(yield* (yield* TeamStore).find(written.team.id)).toEqual(Option.none())
        expect(yield* webhooks.list(account.id)).toEqual([])
        expect(yield* business.values(account.id)).toEqual({})
        expect(yield* agents.list({ accountIds: [account.id], teamIds: [] })).toEqual([])
        expect((yield* accounts.funds(account.id)).deposits).toBe(0)
      })
    )

    it.effect("a nested transaction that fails rolls back only its own writes", () =>
      Effect.gen(function* () {
        const [before, nested, after] = [newRef(), newRef(), newRef()]
        yield* run(
          Effect.gen(function* () {
            yield* write(before)
            yield* run(Effect.andThen(write(nested), Effect.fail("no"))).pipe(Effect.flip)
            expect(yield* exists(nested)).toBe(false)
            yield* write(after)
          })
        )
        expect([yield* exists(before), yield* exists(nested), yield* exists(after)]).toEqual([true, false, true])
      })
    )

    it.effect("a nested transaction that dies rolls back only its own writes", () =>
      Effect.gen(function* () {
        const [outer, nested] = [newRef(), newRef()]
        yield* run(Effect.andThen(write(outer), Effect.exit(run(Effect.andThen(write(nested), Effect.die("bug"))))))
        expect([yield* exists(outer), yield* exists(nested)]).toEqual([true, false])
      })
    )

    it.effect("the writes of a nested transaction are rolled back when the outer one fails", () =>
      Effect.gen(function* () {
        const [outer, nested] = [newRef(), newRef()]
        yield* run(write(outer).pipe(Effect.andThen(run(write(nested))), Effect.andThen(Effect.fail("no")))).pipe(
          Effect.flip
        )
        expect([yield* exists(outer), yield* exists(nested)]).toEqual([false, false])
      })
    )

    it.effect("a failure in the third level of nested transactions rolls back only that level", () =>
      Effect.gen(function* () {
        const [first, second, third] = [newRef(), newRef(), newRef()]
        const inner = run(Effect.andThen(write(third), Effect.fail("no")))
        yield* run(Effect.andThen(write(first), run(Effect.andThen(write(second), Effect.exit(inner)))))
        expect([yield* exists(first), yield* exists(second), yield* exists(third)]).toEqual([true, true, false])
      })
    )

    it.effect("the outer transaction commits after a store call failed in a nested one", () =>
      Effect.gen(function* () {
        const [before, after] = [newRef(), newRef()]
        const reason = yield* run(
          Effect.gen(function* () {
            yield* write(before)
            const error = yield* run(write(before)).pipe(Effect.flip)
            yield* write(after)
            return error.reason
          })
        )
        expect(reason).toBe("duplicate")
        expect([yield* exists(before), yield* exists(after)]).toEqual([true, true])
      })
    )

    it.effect("a reader outside the transaction never sees an uncommitted write", () =>
      Effect.gen(function* () {
        const ref = newRef()
        const written = yield* Deferred.make<void>()
        const reader = yield* Effect.forkChild(Effect.andThen(Deferred.await(written), exists(ref)))
        const body = write(ref).pipe(
          Effect.andThen(Deferred.succeed(written, undefined)),
          // Lets the reader run. The test must not wait for it, because a storage may block it until the transaction
          // ends.
          Effect.andThen(Effect.forEach(Array.from({ length: 20 }), () => Effect.yieldNow)),
          Effect.andThen(Effect.fail("no"))
        )
        yield* run(body).pipe(Effect.flip)
        expect(yield* Fiber.join(reader)).toBe(false)
      })
    )

    it.effect(
      "a listener of a signal that was raised in a transaction runs after the commit of the outermost transaction",
      () =>
        Effect.gen(function* () {
          const [inner, outer] = [newRef(), newRef()]
          const signal = Signal.make()
          const listener = yield* signal.listen
          const ended = yield* Ref.make(false)
          const waiting = yield* Effect.forkChild(
            listener.await.pipe(Effect.andThen(Effect.all([Ref.get(ended), exists(inner), exists(outer)])))
          )
          yield* run(
            Effect.gen(function* () {
              yield* run(Effect.andThen(write(inner), signal.notify))
              yield* signal.notify
              // Lets the listener run, if the signal was raised too early.
              yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.yieldNow)
              yield* write(outer)
              yield* Ref.set(ended, true)
            })
          )
          expect(yield* Fiber.join(waiting)).toEqual([true, true, true])
        }).pipe(Effect.scoped)
    )

    it.effect("a signal that is raised twice in a transaction is received once after its end, even if it fails", () =>
      Effect.gen(function* () {
        const signal = Signal.make()
        const received: Array<string> = []
        yield* signal.forward(() => received.push("signal"))
        const failing = Effect.andThen(Effect.andThen(signal.notify, signal.notify), Effect.fail("no"))
        yield* run(failing).pipe(Effect.flip)
        expect(received).toEqual(["signal"])
        yield* signal.notify
        expect(received).toEqual(["signal", "signal"])
      }).pipe(Effect.scoped)
    )

    it.effect("concurrent transactions all commit", () =>
      Effect.gen(function* () {
        const refs = Array.from({ length: 20 }, newRef)
        yield* Effect.forEach(refs, (ref) => run(Effect.andThen(Effect.yieldNow, write(ref))), {
          concurrency: "unbounded",
          discard: true
        })
        expect(yield* Effect.forEach(refs, exists)).toEqual(refs.map(() => true))
      })
    )
  })
}

const run = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Transaction, (transaction) => transaction.run(effect))

const newRef = (): ProvisionedRef => ({ kind: "team", accountRef: "", ref: Samples.unique("ref") })

const write = (ref: ProvisionedRef) => Effect.flatMap(ProvisioningStore, (refs) => refs.insert(ref, 1))

const exists = (ref: ProvisionedRef) =>
  Effect.flatMap(ProvisioningStore, (refs) => Effect.map(refs.find(ref), Option.isSome))
