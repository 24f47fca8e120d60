import { TeamStore } from "@frontdesk/core/access/TeamStore"
import { TeamId } from "@frontdesk/core/access/Team"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import * as FaultInjection from "@frontdesk/testing/FaultInjection"

const storage = FaultInjection.wrap(TeamStore, MemoryStorage.layer, FaultInjection.storageError("unavailable")).pipe(
  Layer.provideMerge(FaultInjection.FaultInjection.layer({ seed: 7 }))
)

it.layer(Layer.fresh(storage))("FaultInjection.wrap", (it) => {
  it.effect("a wrapped port works as usual while no fault is set", () =>
    Effect.gen(function* () {
      const [teams, faults] = [yield* TeamStore, yield* FaultInjection.FaultInjection]
      yield* faults.clear
      const team = yield* teams.insert("Sales")
      expect(yield* teams.find(team.id)).toEqual(Option.some(team))
      expect(yield* faults.counts("TeamStore.find")).toEqual({ calls: 1, faults: 0 })
    })
  )

  it.effect(
    "the fault fail makes one member fail with the port's error and change nothing, and other members work",
    () =>
      Effect.gen(function* () {
        const [teams, faults] = [yield* TeamStore, yield* FaultInjection.FaultInjection]
        const team = yield* teams.insert("Before")
        yield* faults.set("TeamStore.rename", "fail")
        const error = yield* teams.rename(team.id, "After").pipe(Effect.flip)
        expect(error).toMatchObject({ _tag: "StorageError", reason: "unavailable", operation: "TeamStore.rename" })
        expect(yield* teams.find(team.id)).toEqual(Option.some(team))
        expect(yield* faults.counts("TeamStore.rename")).toEqual({ calls: 1, faults: 1 })
      })
  )

  it.effect("the fault failAfter makes a member take effect and then fail", () =>
    Effect.gen(function* () {
      const [teams, faults] = [yield* TeamStore, yield* FaultInjection.FaultInjection]
      const team = yield* teams.insert("Before")
      yield* faults.set("TeamStore.rename", "failAfter")
      yield* teams.rename(team.id, "After").pipe(Effect.flip)
      expect(yield* teams.find(team.id)).toEqual(Option.some({ id: team.id, name: "After" }))
    })
  )

  it.effect("the fault die makes a member die", () =>
    Effect.gen(function* () {
      const [teams, faults] = [yield* TeamStore, yield* FaultInjection.FaultInjection]
      yield* faults.set("TeamStore.find", "die")
      const exit = yield* Effect.exit(teams.find(TeamId.make(1)))
      expect(Exit.isFailure(exit) && Exit.hasDies(exit)).toBe(true)
      yield* faults.clear
    })
  )

  it.effect("the fault hang makes a member wait until it is interrupted", () =>
    Effect.gen(function* () {
      const [teams, faults] = [yield* TeamStore, yield* FaultInjection.FaultInjection]
      yield* faults.set("TeamStore.find", "hang")
      const fiber = yield* Effect.forkChild(teams.find(TeamId.make(1)))
      yield* TestClock.adjust("1 day")
      expect(fiber.pollUnsafe()).toBeUndefined()
      yield* Fiber.interrupt(fiber)
      yield* faults.clear
    })
  )

  it.effect("the fault delay makes a member begin later", () =>
    Effect.gen(function* () {
      const [teams, faults] = [yield* TeamStore, yield* FaultInjection.FaultInjection]
      yield* faults.set("TeamStore.insert", { delay: "10 seconds" })
      const fiber = yield* Effect.forkChild(teams.insert("Late"))
      yield* TestClock.adjust("9999 millis")
      expect(fiber.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust("1 millis")
      expect((yield* Fiber.join(fiber)).name).toBe("Late")
      yield* faults.clear
    })
  )

  it.effect(
    "the faults before and after run an effect before a call, or after it before the caller has the answer",
    () =>
      Effect.gen(function* () {
        const [teams, faults] = [yield* TeamStore, yield* FaultInjection.FaultInjection]
        const team = yield* teams.insert("Before")
        const seen: Array<string> = []
        const readName = Effect.orDie(teams.find(team.id)).pipe(
          Effect.map(
            (found) => void seen.push(Option.match(found, { onNone: () => "none", onSome: ({ name }) => name }))
          )
        )
        yield* faults.set("TeamStore.rename", { before: readName })
        yield* teams.rename(team.id, "After")
        yield* faults.set("TeamStore.rename", { after: readName })
        yield* Effect.andThen(
          teams.rename(team.id, "Later"),
          Effect.sync(() => seen.push("answered"))
        )
        expect(seen).toEqual(["Before", "Later", "answered"])
        yield* faults.clear
      })
  )

  it.effect("a fault with after and times occurs in the calls that these options select", () =>
    Effect.gen(function* () {
      const [teams, faults] = [yield* TeamStore, yield* FaultInjection.FaultInjection]
      yield* faults.set("TeamStore.insert", { fault: "fail", after: 2, times: 1 })
      const exits = yield* Effect.forEach([1, 2, 3, 4], () => Effect.exit(teams.insert("Team")))
      expect(exits.map(Exit.isSuccess)).toEqual([true, true, false, true])
      expect(yield* faults.counts("TeamStore.insert")).toEqual({ calls: 4, faults: 1 })
      yield* faults.clear
    })
  )

  it.effect("wrapping one port does not affect other ports of the storage", () =>
    Effect.gen(function* () {
      const faults = yield* FaultInjection.FaultInjection
      yield* faults.set("AccountStore.list", "fail")
      expect(yield* (yield* AccountStore).list(null, 10)).toEqual([])
    })
  )
})

it.effect("a fault with a probability occurs in the same calls for the same seed", () =>
  Effect.gen(function* () {
    const run = (seed: number) =>
      Effect.gen(function* () {
        const faults = yield* FaultInjection.FaultInjection
        yield* faults.set("point", { fault: "fail", probability: 0.5 })
        const call = Effect.exit(faults.around("point", () => "failed")(Effect.void))
        return (yield* Effect.forEach(Array.from({ length: 64 }), () => call)).map(Exit.isSuccess)
      }).pipe(Effect.provide(FaultInjection.FaultInjection.layer({ seed })))
    const first = yield* run(1)
    expect(yield* run(1)).toEqual(first)
    expect(yield* run(2)).not.toEqual(first)
    expect(first).toContain(true)
    expect(first).toContain(false)
  })
)

it.effect("a transaction with the fault failAfter fails although it has committed", () =>
  Effect.gen(function* () {
    const [teams, transaction] = [yield* TeamStore, yield* Transaction]
    const faults = yield* FaultInjection.FaultInjection
    yield* faults.set("Transaction.run", { fault: "failAfter", times: 1 })
    const error = yield* transaction.run(teams.insert("Committed")).pipe(Effect.flip)
    expect(error.reason).toBe("unavailable")
    expect(yield* teams.find(TeamId.make(1))).toEqual(Option.some({ id: 1, name: "Committed" }))
  }).pipe(
    Effect.provide(
      FaultInjection.wrap(Transaction, MemoryStorage.layer, FaultInjection.storageError("unavailable")).pipe(
        Layer.provideMerge(FaultInjection.FaultInjection.layer())
      )
    )
  )
)
