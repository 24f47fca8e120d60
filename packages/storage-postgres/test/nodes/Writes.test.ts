import { describe, expect, it } from "@effect/vitest"
import { ApiKeys } from "@frontdesk/core/access/ApiKeys"
import { Principal } from "@frontdesk/core/access/Principal"
import { Contacts } from "@frontdesk/core/contact/Contacts"
import { BusinessContext } from "@frontdesk/core/business-context/BusinessContext"
import { ContextVariables } from "@frontdesk/core/variable/ContextVariables"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { expectOneBooking } from "./Bookings.ts"
import * as Node from "./Node.ts"

/** Builds two nodes, and a caller. */
/** Returns the nodes in turn, each `count` times. */
const times = (nodes: ReadonlyArray<Node.Node>, count: number) => Array.from({ length: count }, () => nodes).flat()

describe("writes on many nodes", () => {
  it.live("one of 50 concurrent bookings of a slot with reject_conflicts succeeds through two nodes", () =>
    Effect.gen(function* () {
      const { caller, nodes } = yield* Node.setUp
      yield* expectOneBooking(nodes, caller)
    }).pipe(Effect.scoped)
  )

  it.live("concurrent patches of one contact through two nodes keep all context keys and changed fields (D-PG-3)", () =>
    Effect.gen(function* () {
      const { caller, first, nodes } = yield* Node.setUp
      const { id } = yield* Effect.provide(Samples.makeContact(caller.account.id), first)
      yield* Effect.forEach(
        times(nodes, 20),
        (node, index) =>
          Context.get(node, Contacts).patch(id, {
            customContext: { [`custom_${index}`]: `${index}` },
            industryContext: { [`industry_${index}`]: `${index}` },
            ...(index % 2 === 0 ? { company: `Company ${index}` } : { city: `City ${index}` })
          }),
        { concurrency: "unbounded" }
      ).pipe(Effect.provideService(Principal, caller))
      const contact = yield* Context.get(first, Contacts).get(id).pipe(Effect.provideService(Principal, caller))
      expect(Object.keys(contact.customContext)).toHaveLength(40)
      expect(Object.keys(contact.industryContext)).toHaveLength(40)
      expect(contact.company).toMatch(/^Company /)
      expect(contact.city).toMatch(/^City /)
    }).pipe(Effect.scoped)
  )

  it.live(
    "concurrent changes of the business context through two nodes keep all values and do not deadlock (D-PG-11)",
    () =>
      Effect.gen(function* () {
        const { caller, deadlocks, first, nodes } = yield* Node.setUp
        const names = Array.from({ length: 100 }, (_, index) => `value_${index}`)
        const asCaller = Effect.provideService(Principal, caller)
        const set = (node: Node.Node, variables: Readonly<Record<string, string>>) =>
          Context.get(node, BusinessContext).set({ variables, autoCreateVariables: true })
        const valuesOf = (some: ReadonlyArray<string>, value: string) =>
          Object.fromEntries(some.map((name) => [name, value]))
        yield* asCaller(set(first, valuesOf(names, "first")))
        yield* Effect.forEach(
          times(nodes, names.length / 2),
          (node, index) => set(node, valuesOf(names.slice(index, index + 1), `${index}`)),
          { concurrency: "unbounded" }
        ).pipe(asCaller)
        expect(yield* asCaller(Context.get(first, BusinessContext).get)).toEqual(
          Object.fromEntries(names.map((name, index) => [name, `${index}`]))
        )

        // Each change sets all values, in ascending or in descending order.
        yield* Effect.forEach(
          times(nodes, 10),
          (node, index) => set(node, valuesOf(index % 2 === 0 ? names : names.toReversed(), `all ${index}`)),
          { concurrency: "unbounded" }
        ).pipe(asCaller)
        const values = yield* asCaller(Context.get(first, BusinessContext).get)
        expect(Object.keys(values).toSorted()).toEqual(names.toSorted())
        expect(new Set(Object.values(values)).size).toBe(1)
        expect(yield* deadlocks).toBe(0)
      }).pipe(Effect.scoped)
  )

  it.live("concurrent patches of one variable definition through two nodes keep all fields", () =>
    Effect.gen(function* () {
      const { caller, first, nodes } = yield* Node.setUp
      const asCaller = Effect.provideService(Principal, caller)
      for (let round = 0; round < 10; round++) {
        const { id } = yield* Context.get(first, ContextVariables)
          .create({ name: `budget_${round}`, displayName: "Budget", variableType: "text", contextType: "business" })
          .pipe(asCaller)
        const patches = [{ displayName: "Money" }, { description: "What there is to spend" }]
        yield* Effect.forEach(
          nodes.flatMap((node) => patches.map((patch) => Context.get(node, ContextVariables).patch(id, patch))),
          (patched) => patched,
          { concurrency: "unbounded" }
        ).pipe(asCaller)
        const variables = yield* Context.get(first, ContextVariables).list(undefined).pipe(asCaller)
        expect(variables.find((variable) => variable.id === id)).toMatchObject({
          displayName: "Money",
          description: "What there is to spend"
        })
      }
    }).pipe(Effect.scoped)
  )

  it.live(
    "one of the concurrent rotations of an API key through two nodes succeeds, and forced ones leave two digests",
    () =>
      Effect.gen(function* () {
        const { caller, first, nodes } = yield* Node.setUp
        const { id } = caller.account
        for (let round = 0; round < 10; round++) {
          const { apiKey } = yield* Context.get(first, ApiKeys).create({ accountId: id, name: "key", permissions: [] })
          const rotate = (force: boolean) =>
            Effect.forEach(
              times(nodes, 2),
              (node) => Effect.result(Context.get(node, ApiKeys).rotate(id, apiKey.id, { force })),
              { concurrency: "unbounded" }
            )
          const results = yield* rotate(false)
          expect(results.map((result) => (Result.isSuccess(result) ? "" : result.failure._tag)).toSorted()).toEqual([
            "",
            "ApiKeyInGrace",
            "ApiKeyInGrace",
            "ApiKeyInGrace"
          ])
          expect((yield* rotate(true)).every(Result.isSuccess)).toBe(true)
          const hashes = yield* Node.query(
            first,
            "SELECT is_current FROM api_key_hash WHERE api_key_id = $1 ORDER BY is_current",
            [apiKey.id]
          )
          expect(hashes).toEqual([{ is_current: false }, { is_current: true }])
        }
      }).pipe(Effect.scoped)
  )
})
