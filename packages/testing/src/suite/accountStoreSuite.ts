import { AccountId } from "@frontdesk/core/access/Account"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { LanguageTag } from "@frontdesk/core/values/LanguageTag"
import * as Money from "@frontdesk/core/values/Money"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies an `AccountStore`. */
export const accountStoreSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: AccountStore`, (it) => {
    it.effect("insert stores every field of an account, and a new account has no funds", () =>
      Effect.gen(function* () {
        const accounts = yield* AccountStore
        const team = yield* Samples.makeTeam()
        const partner = yield* Samples.makeAccount({ role: "partner" })
        const given = Samples.newAccount({
          name: "Zoë's 日本",
          role: "client",
          partnerId: partner.id,
          teamIds: [team.id],
          settings: {
            ...Samples.newAccount().settings,
            workingHours: { mon: [["09:00", "24:00"]], sun: [] },
            dateOverrides: { "2026-12-25": [], "2026-12-24": [["09:00", "12:00"]] },
            slotIntervalMinutes: 15,
            bufferBeforeMinutes: 5,
            bufferAfterMinutes: 10,
            minimumNoticeMinutes: 120,
            rejectConflicts: true,
            contactStatuses: ["new", "won"],
            contactStages: [],
            pricePerMinute: Money.Money.make(123_457),
            maxRunningCalls: 3,
            inboundIdentity: "trusted",
            inboundContacts: "create",
            agentContactFields: ["zip_code", "first_name"],
            language: LanguageTag.make("pt-BR")
          }
        })
        const account = yield* accounts.insert(given)
        expect(account).toEqual({ ...given, id: account.id })
        expect(yield* accounts.find(account.id)).toEqual(Option.some(account))
        expect(yield* accounts.funds(account.id)).toEqual(none)
      })
    )

    it.effect("find returns none for an id that no account has, however large the id is", () =>
      Effect.gen(function* () {
        expect(yield* (yield* AccountStore).find(unknownId)).toEqual(Option.none())
      })
    )

    it.effect("findForUpdate returns every field of an account with its teams, and none for an unknown id", () =>
      Effect.gen(function* () {
        const accounts = yield* AccountStore
        const { run } = yield* Transaction
        const teams = [yield* Samples.makeTeam(), yield* Samples.makeTeam()]
        const account = yield* Samples.makeAccount({ teamIds: teams.map((team) => team.id) })
        expect(yield* run(accounts.findForUpdate(account.id))).toEqual(Option.some(account))
        expect(yield* run(accounts.findForUpdate(unknownId))).toEqual(Option.none())
      })
    )

    it.effect(
      "update replaces every field of one account and leaves its id, its funds and other accounts unchanged",
      () =>
        Effect.gen(function* () {
          const accounts = yield* AccountStore
          const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
          const team = yield* Samples.makeTeam()
          yield* accounts.changeFunds(account.id, { deposits: amount(5) }, Samples.cause)
          const next = {
            ...account,
            name: "Renamed",
            teamIds: [team.id],
            settings: { ...account.settings, rejectConflicts: true }
          }
          yield* accounts.update(next)
          expect(yield* accounts.find(account.id)).toEqual(Option.some(next))
          expect(yield* accounts.funds(account.id)).toEqual({ ...none, deposits: amount(5) })
          expect(yield* accounts.find(other.id)).toEqual(Option.some(other))
        })
    )

    it.effect("list returns the accounts after an id, ordered by id, up to the limit", () =>
      Effect.gen(function* () {
        const accounts = yield* AccountStore
        const [a, b] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        expect(yield* accounts.list(AccountId.make(a.id - 1), 2)).toEqual([a, b])
        expect(yield* accounts.list(AccountId.make(a.id - 1), 1)).toEqual([a])
        expect(yield* accounts.list(a.id, 10)).toEqual([b])
        expect(yield* accounts.list(b.id, 10)).toEqual([])
        const [first] = yield* accounts.list(null, 1)
        expect(first?.id).toBeLessThanOrEqual(a.id)
      })
    )

    it.effect(
      "search returns accounts by id or by a part of the name in either case, newest first, with their sums",
      () =>
        Effect.gen(function* () {
          const accounts = yield* AccountStore
          const word = Samples.unique("Smile")
          const [a, b] = [
            yield* Samples.makeAccount({ name: `${word} %_ East` }),
            yield* Samples.makeAccount({ name: `The ${word} West` })
          ]
          yield* accounts.changeFunds(b.id, { deposits: amount(5) }, Samples.cause)
          const found = [
            { account: b, funds: { ...none, deposits: amount(5) } },
            { account: a, funds: none }
          ]
          const search = (text: string | null, page = 1, limit = 10) => accounts.search(text, { page, limit })
          expect(yield* search(word.toUpperCase())).toEqual({
            items: found,
            count: 2,
            isCapped: false,
            page: 1,
            limit: 10
          })
          expect((yield* search(`${word} %_`)).items).toEqual([found[1]])
          expect((yield* search(`${word}%East`)).items).toEqual([])
          expect((yield* search(word, 2, 1)).items).toEqual([found[1]])
          expect(yield* search(word, 3, 1)).toMatchObject({ items: [], count: 2 })
          expect((yield* search(String(b.id))).items).toContainEqual(found[0])
          const all = yield* search(null, 1, 100)
          expect(all.items.slice(0, 2)).toEqual(found)
        })
    )

    it.effect("clientsOf returns the ids of one partner's clients, in ascending order", () =>
      Effect.gen(function* () {
        const accounts = yield* AccountStore
        const [partner, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const client = (partnerId: AccountId) => Samples.makeAccount({ role: "client", partnerId })
        const first = yield* client(partner.id)
        const foreign = yield* client(other.id)
        const second = yield* client(partner.id)
        expect(yield* accounts.clientsOf(partner.id)).toEqual([first.id, second.id])
        expect(yield* accounts.clientsOf(other.id)).toEqual([foreign.id])
        expect(yield* accounts.clientsOf(first.id)).toEqual([])
      })
    )

    it.effect(
      "clientsOf leaves out an account whose role is no longer client, even if its partner id is still set",
      () =>
        Effect.gen(function* () {
          const accounts = yield* AccountStore
          const partner = yield* Samples.makeAccount({ role: "partner" })
          const client = yield* Samples.makeAccount({ role: "client", partnerId: partner.id })
          yield* accounts.update({ ...client, role: "standard" })
          expect(yield* accounts.clientsOf(partner.id)).toEqual([])
          yield* accounts.update(client)
          expect(yield* accounts.clientsOf(partner.id)).toEqual([client.id])
        })
    )

    it.effect("changeFunds adds to the sums it names and leaves the others unchanged", () =>
      Effect.gen(function* () {
        const accounts = yield* AccountStore
        const { id } = yield* Samples.makeAccount()
        expect(yield* accounts.changeFunds(id, { deposits: amount(10) }, Samples.cause)).toBe(true)
        expect(yield* accounts.changeFunds(id, { reservations: amount(4) }, Samples.cause)).toBe(true)
        expect(yield* accounts.changeFunds(id, { reservations: amount(-4), charges: amount(3) }, Samples.cause)).toBe(
          true
        )
        expect(yield* accounts.funds(id)).toEqual({ deposits: amount(10), charges: amount(3), reservations: amount(0) })
      })
    )

    it.effect("lockFunds returns the sums of an account, which are zero for one that does not exist", () =>
      Effect.gen(function* () {
        const accounts = yield* AccountStore
        const transaction = yield* Transaction
        const { id } = yield* Samples.makeAccount()
        yield* accounts.changeFunds(id, { deposits: amount(10), reservations: amount(4) }, Samples.cause)
        expect(yield* transaction.run(accounts.lockFunds(id))).toEqual({
          ...none,
          deposits: amount(10),
          reservations: amount(4)
        })
        expect(yield* transaction.run(accounts.lockFunds(unknownId))).toEqual(none)
      })
    )

    it.effect("changeFunds returns false and changes nothing when the balance would become negative", () =>
      Effect.gen(function* () {
        const accounts = yield* AccountStore
        const { id } = yield* Samples.makeAccount()
        yield* accounts.changeFunds(id, { deposits: amount(5) }, Samples.cause)
        expect(yield* accounts.changeFunds(id, { reservations: amount(6) }, Samples.cause)).toBe(false)
        expect(yield* accounts.changeFunds(id, { reservations: amount(3), charges: amount(3) }, Samples.cause)).toBe(
          false
        )
        expect(yield* accounts.funds(id)).toEqual({ ...none, deposits: amount(5) })
        expect(yield* accounts.changeFunds(id, { reservations: amount(5) }, Samples.cause)).toBe(true)
        expect(yield* accounts.changeFunds(id, { reservations: amount(1) }, Samples.cause)).toBe(false)
      })
    )

    it.effect("funds are exact up to the largest safe integer", () =>
      Effect.gen(function* () {
        const accounts = yield* AccountStore
        const { id } = yield* Samples.makeAccount()
        yield* accounts.changeFunds(id, { deposits: amount(Number.MAX_SAFE_INTEGER) }, Samples.cause)
        yield* accounts.changeFunds(id, { charges: amount(Number.MAX_SAFE_INTEGER - 1) }, Samples.cause)
        expect(yield* accounts.changeFunds(id, { reservations: amount(2) }, Samples.cause)).toBe(false)
        expect(yield* accounts.changeFunds(id, { reservations: amount(1) }, Samples.cause)).toBe(true)
        expect(yield* accounts.funds(id)).toEqual({
          deposits: Number.MAX_SAFE_INTEGER,
          charges: Number.MAX_SAFE_INTEGER - 1,
          reservations: 1
        })
      })
    )

    it.effect("changeFunds returns false for an account that does not exist, and its funds are zero", () =>
      Effect.gen(function* () {
        const accounts = yield* AccountStore
        expect(yield* accounts.changeFunds(unknownId, { deposits: amount(1) }, Samples.cause)).toBe(false)
        expect(yield* accounts.funds(unknownId)).toEqual(none)
      })
    )

    it.effect("concurrent calls of changeFunds never reserve the same money twice", () =>
      Effect.gen(function* () {
        const accounts = yield* AccountStore
        const transaction = yield* Transaction
        const { id } = yield* Samples.makeAccount()
        yield* accounts.changeFunds(id, { deposits: amount(7) }, Samples.cause)
        const reserve = accounts.changeFunds(id, { reservations: amount(1) }, Samples.cause)
        const granted = yield* Effect.forEach(
          Array.from({ length: 20 }),
          (_, index) => (index % 2 === 0 ? reserve : transaction.run(Effect.andThen(Effect.yieldNow, reserve))),
          { concurrency: "unbounded" }
        )
        expect(granted.filter((spent) => spent)).toHaveLength(7)
        expect(yield* accounts.funds(id)).toEqual({ ...none, deposits: amount(7), reservations: amount(7) })
      })
    )
  })
}

const unknownId = AccountId.make(999_999_999_999)

const amount = (millionths: number): Money.Money => Money.Money.make(millionths)

const none = { deposits: 0, charges: 0, reservations: 0 }
