import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import { BusinessContextStore } from "@frontdesk/core/business-context/BusinessContextStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { CallStore } from "@frontdesk/core/call/CallStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { page } from "./Pages.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Mutates every array and plain object inside a value. */
const mutate = (value: unknown): void => {
  if (typeof value !== "object" || value === null) return
  for (const inner of Object.values(value)) mutate(inner)
  if (Array.isArray(value)) value.push("mutated")
  else if (Object.getPrototypeOf(value) === Object.prototype) Reflect.set(value, "mutated", true)
}

/**
 * Verifies that a storage shares no object with its callers: changing an argument or a result changes nothing that is
 * stored.
 */
export const isolationSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: isolation from objects of the caller`, (it) => {
    it.effect("mutating the argument of a write or the result of a read does not change a stored contact", () =>
      Effect.gen(function* () {
        const contacts = yield* ContactStore
        const transaction = yield* Transaction
        const account = yield* Samples.makeAccount()
        const scope = Samples.scopeOf(account)
        const fields = () => ({
          tags: ["a"],
          phoneNumbers: [Samples.newNumber("+12025550111")],
          customContext: { nested: { list: [1, { x: 2 }] } }
        })
        const given = Samples.newContact(account.id, fields())
        const { id } = yield* contacts.insert(given)
        const stored = yield* contacts.find(scope, id)
        const expected = structuredClone(fields().customContext)
        mutate(given)
        const reads = [
          Effect.map(contacts.find(scope, id), Option.getOrThrow),
          Effect.map(transaction.run(contacts.findForUpdate(scope, id)), Option.getOrThrow),
          Effect.map(contacts.list(scope, {}, page(1)), ({ items }) => items[0])
        ]
        for (const read of reads) {
          const found = yield* read
          expect(found?.customContext).toEqual(expected)
          mutate(found)
        }
        const written = Samples.newContact(account.id, fields())
        const answer = yield* contacts.update({ ...written, id })
        mutate(written)
        mutate(answer)
        const last = Option.getOrThrow(yield* contacts.find(scope, id))
        expect(last.customContext).toEqual(expected)
        expect([last.tags, last.phoneNumbers.length]).toEqual([["a"], 1])
        expect(Option.isSome(stored)).toBe(true)
      })
    )

    it.effect(
      "mutating the argument of a write or the result of a read does not change a stored call or business context",
      () =>
        Effect.gen(function* () {
          const calls = yield* CallStore
          const business = yield* BusinessContextStore
          const account = yield* Samples.makeAccount()
          const agent = yield* Samples.makeAgent(account.id)
          const variables = { name: "Jo" }
          const metadata = { nested: [{ a: 1 }] }
          const made = yield* calls.insert(Samples.newCall(account.id, agent, { variables, metadata }))
          for (const value of [variables, metadata, made]) mutate(value)
          for (let time = 0; time < 2; time++) {
            const found = Option.getOrThrow(yield* calls.find(Samples.scopeOf(account), { id: made.id }))
            expect([found.variables, found.metadata]).toEqual([{ name: "Jo" }, { nested: [{ a: 1 }] }])
            mutate(found)
          }
          const set = { size: "large" }
          yield* business.write(account.id, { set, remove: [] })
          mutate(set)
          mutate(yield* business.values(account.id))
          expect(yield* business.values(account.id)).toEqual({ size: "large" })
        })
    )
  })
}
