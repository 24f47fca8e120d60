import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import * as Effect from "effect/Effect"
import { expect } from "./Expect.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { layer } from "./Tests.ts"

/** Verifies how a `ContactStore` finds the contacts that an account owns, for imports and exports. */
export const contactLookUpSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: ContactStore, contacts that an account owns`, (it) => {
    it.effect("idsByEmail returns at most two of the account's own contacts, with ASCII letters in any case", () =>
      Effect.gen(function* () {
        const contacts = yield* ContactStore
        const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const ids = (email: string) => contacts.idsByEmail(account.id, email)
        yield* Samples.makeContact(other.id, { email: "jo@example.com" })
        yield* Samples.makeContact(account.id)
        expect(yield* ids("jo@example.com")).toEqual([])
        const first = yield* Samples.makeContact(account.id, { email: "Jo@Example.com" })
        expect(yield* ids("jO@example.COM")).toEqual([first.id])
        expect(yield* ids("jo@example.co")).toEqual([])
        const umlaut = yield* Samples.makeContact(account.id, { email: "JÖ@example.com" })
        expect(yield* ids("jÖ@example.com")).toEqual([umlaut.id])
        expect(yield* ids("jö@example.com")).toEqual([])
        const second = yield* Samples.makeContact(account.id, { email: "jo@example.com" })
        yield* Samples.makeContact(account.id, { email: "jo@example.com" })
        expect(yield* ids("jo@example.com")).toEqual([first.id, second.id])
      })
    )

    it.effect("listAfter returns the account's own contacts by id, after one and up to a limit", () =>
      Effect.gen(function* () {
        const contacts = yield* ContactStore
        const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const made = yield* Effect.forEach(["a", "b", "c"], (firstName) =>
          Effect.tap(
            Samples.makeContact(account.id, {
              firstName,
              tags: ["vip"],
              phoneNumbers: [Samples.newNumber("+12025550171")],
              customContext: { plan: firstName }
            }),
            Samples.makeContact(other.id)
          )
        )
        expect(yield* contacts.listAfter(account.id, null, 2)).toEqual(made.slice(0, 2))
        expect(yield* contacts.listAfter(account.id, made[1]?.id ?? null, 2)).toEqual(made.slice(2))
        expect(yield* contacts.listAfter(account.id, made[2]?.id ?? null, 2)).toEqual([])
      })
    )
  })
}
