import { TeamStore } from "@frontdesk/core/access/TeamStore"
import { TeamId } from "@frontdesk/core/access/Team"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as MemoryStorage from "../../src/MemoryStorage.ts"

it.effect("each build of the layer makes a new empty storage", () =>
  Effect.gen(function* () {
    const [first, second] = [yield* build, yield* build]
    yield* Context.get(first, TeamStore).insert("Sales")
    expect(yield* Context.get(second, TeamStore).find(TeamId.make(1))).toEqual(Option.none())
  })
)

it.effect("a rollback in one storage keeps the writes to another storage", () =>
  Effect.gen(function* () {
    const [first, second] = [yield* build, yield* build]
    const [mine, other] = [Context.get(first, TeamStore), Context.get(second, TeamStore)]
    const both = Effect.andThen(mine.insert("Mine"), other.insert("Theirs"))
    yield* Context.get(first, Transaction)
      .run(Effect.andThen(both, Effect.fail("no")))
      .pipe(Effect.flip)
    expect(yield* mine.find(TeamId.make(1))).toEqual(Option.none())
    expect(yield* other.find(TeamId.make(1))).toEqual(Option.some({ id: 1, name: "Theirs" }))
  })
)

it.effect("a write outside a transaction waits for the transaction before it, and the writes of both are stored", () =>
  Effect.gen(function* () {
    const storage = yield* build
    const teams = Context.get(storage, TeamStore)
    const started = yield* Deferred.make<void>()
    const finish = yield* Deferred.make<void>()
    const body = Effect.andThen(Deferred.succeed(started, undefined), Deferred.await(finish))
    const inside = yield* Effect.forkChild(
      Context.get(storage, Transaction).run(Effect.andThen(teams.insert("Inside"), body))
    )
    yield* Deferred.await(started)
    const outside = yield* Effect.forkChild(teams.insert("Outside"))
    yield* Effect.yieldNow
    expect(outside.pollUnsafe()).toBeUndefined()
    yield* Deferred.succeed(finish, undefined)
    yield* Fiber.join(inside)
    expect(yield* Fiber.join(outside)).toEqual({ id: 2, name: "Outside" })
    expect(yield* teams.find(TeamId.make(1))).toEqual(Option.some({ id: 1, name: "Inside" }))
  })
)

it.effect("a fiber that outlives its transaction writes to the committed state", () =>
  Effect.gen(function* () {
    const storage = yield* build
    const teams = Context.get(storage, TeamStore)
    const over = yield* Deferred.make<void>()
    const late = yield* Context.get(storage, Transaction).run(
      Effect.forkDetach(Effect.andThen(Deferred.await(over), teams.insert("Late")))
    )
    yield* Deferred.succeed(over, undefined)
    const team = yield* Fiber.join(late)
    expect(yield* teams.find(team.id)).toEqual(Option.some(team))
  })
)

const build = Layer.build(Layer.fresh(MemoryStorage.layer))
