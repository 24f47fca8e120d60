import type { Account, AccountRole } from "@frontdesk/core/access/Account"
import { ApiKeys } from "@frontdesk/core/access/ApiKeys"
import type { TeamId } from "@frontdesk/core/access/Team"
import { Accounts } from "@frontdesk/core/account/Accounts"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import * as Property from "../Property.ts"
import * as Samples from "./Samples.ts"
import type { Storage, StorageLayer } from "./Storage.ts"
import { expect } from "./Expect.ts"
import type { RunnerOptions } from "./Runner.ts"
import { describe } from "./Tests.ts"

const services = Layer.mergeAll(Accounts.layer, ApiKeys.layer)

/** A server process: a storage with the services that use keys. */
type Process = Context.Context<Layer.Success<typeof services> | Storage>

/** Builds a process with its own services. Processes that share records have storages on one database. */
export const makeProcess = <E>(
  storage: StorageLayer<E>,
  crypto: Layer.Layer<Crypto> = Crypto.layerWebCrypto
): Effect.Effect<Process, E, Scope.Scope> =>
  Layer.build(Layer.fresh(services.pipe(Layer.provideMerge(storage), Layer.provide(crypto))))

/**
 * Verifies that a change of a key or an account acts at once in the process that makes it, and in another process either
 * at once or after a second (D-KEY-13).
 *
 * @param processes builds two processes on one database
 */
export const apiKeyCacheSuite = <E>(
  name: string,
  processes: Effect.Effect<readonly [Process, Process], E, Scope.Scope>,
  options: RunnerOptions & { readonly elsewhere: "at once" | "after a second"; readonly runs: number }
): void => {
  describe(options)(`${name}: cached API keys of two processes`, (it) => {
    it.effect(
      `a revocation, a rotation and a change of teams or role act at once in their process, and ${options.elsewhere} in the other one (D-KEY-13)`,
      () =>
        Effect.flatMap(processes, (both) =>
          Property.forAll(
            fc.array(step, { minLength: 5, maxLength: 25, size: "max" }),
            (steps) => play(both, steps, options.elsewhere === "at once"),
            { numRuns: options.runs }
          )
        ).pipe(Effect.scoped),
      120_000
    )
  })
}

const index = fc.nat({ max: 1 })

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ _tag: fc.constant("authenticate" as const), process: index, age: fc.nat(2) }) },
  {
    weight: 3,
    arbitrary: fc.record({ _tag: fc.constant("wait" as const), millis: fc.constantFrom(1, 400, 999, 1_000) })
  },
  {
    weight: 2,
    arbitrary: fc.record({
      _tag: fc.constant("rotate" as const),
      process: index,
      grace: fc.constantFrom(0, 500, 5_000)
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({
      _tag: fc.constant("update" as const),
      process: index,
      role: fc.constantFrom<AccountRole>("standard", "partner"),
      isInTeam: fc.boolean()
    })
  },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("revoke" as const), process: index }) }
)

type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

/** What a process could know of the key: until when each of its values works, and the account. */
interface Version {
  readonly values: ReadonlyMap<string, number>
  readonly account: Account
}

/** A version that was replaced, when, and by which process. */
interface Replaced {
  readonly version: Version
  readonly at: number
  readonly by: number
}

const outcome = ({ account, values }: Version, value: string, now: number): string =>
  now < (values.get(value) ?? -Infinity) ? `${account.role} ${account.teamIds.join()}` : "refused"

const play = Effect.fnUntraced(function* (
  both: readonly [Process, Process],
  steps: ReadonlyArray<Step>,
  isKnownAtOnce: boolean
) {
  const processOf = (process: number): Process => (process === 0 ? both[0] : both[1])
  const team = yield* Effect.provide(Samples.makeTeam(), both[0])
  const account = yield* Effect.provide(Samples.makeAccount(), both[0])
  const first = yield* Context.get(both[0], ApiKeys).create({ accountId: account.id, name: "Key", permissions: [] })
  const { id } = first.apiKey

  const values = [Redacted.value(first.value)]
  let version: Version = { values: new Map([[Redacted.value(first.value), Infinity]]), account }
  let isRevoked = false
  const replaced: Array<Replaced> = []
  const replace = (next: Version, at: number, by: number): void => {
    replaced.unshift({ version, at, by })
    version = next
  }

  /** The versions that a process may use: the present one, and those that only the other process replaced, recently. */
  const allowed = (process: number, now: number): ReadonlyArray<Version> => {
    const versions = [version]
    if (isKnownAtOnce) return versions
    for (const { at, by, version: before } of replaced) {
      if (by === process || now - at >= 1_000) break
      versions.push(before)
    }
    return versions
  }

  for (const taken of steps) {
    const now = yield* Clock.currentTimeMillis
    if (taken._tag === "wait") {
      yield* TestClock.adjust(Duration.millis(taken.millis))
      continue
    }
    const keys = Context.get(processOf(taken.process), ApiKeys)
    switch (taken._tag) {
      case "authenticate": {
        const value = values.at(-1 - (taken.age % values.length)) ?? ""
        const found = yield* keys.authenticate(Redacted.make(value)).pipe(
          Effect.map(({ account }) => `${account.role} ${account.teamIds.join()}`),
          Effect.catchTag("InvalidKey", () => Effect.succeed("refused"))
        )
        expect(allowed(taken.process, now).map((known) => outcome(known, value, now))).toContain(found)
        break
      }
      case "rotate": {
        if (isRevoked) break
        const before = values.at(-1) ?? ""
        const grace = Duration.millis(taken.grace)
        const value = Redacted.value((yield* keys.rotate(account.id, id, { force: true, grace })).value)
        values.push(value)
        const until = new Map([
          [before, now + taken.grace],
          [value, Infinity]
        ])
        replace({ ...version, values: until }, now, taken.process)
        break
      }
      case "update": {
        const teamIds: ReadonlyArray<TeamId> = taken.isInTeam ? [team.id] : []
        const next = { ...version.account, role: taken.role, teamIds }
        yield* Context.get(processOf(taken.process), Accounts).update(next)
        replace({ ...version, account: next }, now, taken.process)
        break
      }
      case "revoke": {
        yield* keys.revoke(account.id, id)
        if (!isRevoked) replace({ ...version, values: new Map() }, now, taken.process)
        isRevoked = true
        break
      }
    }
  }
})
