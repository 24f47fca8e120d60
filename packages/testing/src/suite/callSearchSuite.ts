import type { Scope } from "@frontdesk/core/access/Scope"
import { type CallFilter, CallStore } from "@frontdesk/core/call/CallStore"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as Effect from "effect/Effect"
import { expect } from "./Expect.ts"
import { page } from "./Pages.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { layer } from "./Tests.ts"

/** Verifies the search of a `CallStore`. */
export const callSearchSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: search of CallStore`, (it) => {
    it.effect("a search finds a part of a number, and the contact as the scope sees it", () =>
      Effect.gen(function* () {
        const calls = yield* CallStore
        const { account, agent } = yield* Samples.makeCaller
        const mate = yield* Samples.makeAccount()
        const team = yield* Samples.makeTeam()
        const contact = yield* Samples.makeContact(account.id, { firstName: "Jo", lastName: "Élan", company: "Boats" })
        const shown = { id: contact.id, name: "Jo Élan", email: null, company: "Boats", status: "new", stage: "lead" }
        const other = yield* Samples.makeCall(account.id, agent, {
          team,
          createdAt: Samples.later(0),
          phoneNumber: PhoneNumber.make("+12025550222")
        })
        const own = yield* Samples.makeCall(account.id, agent, {
          team,
          createdAt: Samples.later(1),
          phoneNumber: PhoneNumber.make("+12025550333"),
          contact: { ...shown, lastCallDate: null }
        })
        const search = (scope: Scope, text: string, filter: CallFilter = {}) =>
          Effect.map(calls.list(scope, { ...filter, search: text }, page(1)), ({ count, items }) => {
            expect(count).toBe(items.length)
            return items.map(({ id }) => id)
          })
        const scope = { accountId: account.id, teamIds: [team.id] }
        expect(yield* search(scope, "5550")).toEqual([own.id, other.id])
        expect(yield* search(scope, "550222")).toEqual([other.id])
        expect(yield* search(scope, "550222", { status: "busy" })).toEqual([])
        expect(yield* search(scope, "o éLAN")).toEqual([own.id])
        expect(yield* search(scope, "boat", { from: Samples.later(2) })).toEqual([])
        expect(yield* search(scope, "%")).toEqual([])
        // The contact belongs to the account alone, so its team does not see it.
        const ofMate = { accountId: mate.id, teamIds: [team.id] }
        expect(yield* search(ofMate, "jo")).toEqual([])
        expect(yield* search(ofMate, "550333")).toEqual([own.id])
        expect(yield* search({ ...ofMate, teamIds: [] }, "550333")).toEqual([])
      })
    )
  })
}
