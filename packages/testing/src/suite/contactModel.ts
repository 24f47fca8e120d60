import { ownRows } from "@frontdesk/core/access/Scope"
import type { Account } from "@frontdesk/core/access/Account"
import type { TeamRef } from "@frontdesk/core/access/TeamRef"
import type { Contact } from "@frontdesk/core/contact/Contact"
import { ContactStore, type ContactWrite } from "@frontdesk/core/contact/ContactStore"
import { DoNotCallStore } from "@frontdesk/core/contact/DoNotCallStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as Page from "@frontdesk/core/values/Page"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as fc from "fast-check"
import { type Model, names, pick } from "./Model.ts"
import * as Samples from "./Samples.ts"

interface Fields {
  readonly firstName: string | null
  readonly status: string
  readonly isShared: boolean
  readonly tags: ReadonlyArray<string>
  /** Phone numbers, by an index. A number that the contact has already keeps its id. */
  readonly numbers: ReadonlyArray<{ readonly number: number; readonly doNotCall: boolean }>
}

type Command =
  | { readonly _tag: "Insert"; readonly account: number; readonly fields: Fields }
  | { readonly _tag: "Update"; readonly contact: number; readonly fields: Fields; readonly isRolledBack: boolean }
  | { readonly _tag: "Delete"; readonly account: number; readonly contact: number }
  | { readonly _tag: "Find"; readonly account: number; readonly contact: number }
  | { readonly _tag: "Touch"; readonly contact: number; readonly minutes: number }
  | { readonly _tag: "Number"; readonly account: number; readonly number: number }
  | {
      readonly _tag: "List"
      readonly account: number
      readonly search: string | undefined
      readonly tag: string | undefined
      readonly number: number | undefined
      readonly page: number
      readonly limit: number
    }

interface State {
  readonly accounts: ReadonlyArray<Account>
  readonly team: TeamRef
  readonly contacts: Array<Contact>
  readonly show: (contact: Contact) => unknown
}

const firstNames = ["Jo", "jo", "Élan", "a%b", "", null]
const tags = ["vip", "north", "VIP"]

const account = fc.nat({ max: 1 })
const contact = fc.nat({ max: 20 })
const number = fc.nat({ max: 3 })

const fields: fc.Arbitrary<Fields> = fc.record({
  firstName: fc.constantFrom(...firstNames),
  status: fc.constantFrom("new", "won"),
  isShared: fc.boolean(),
  tags: fc.uniqueArray(fc.constantFrom(...tags)),
  numbers: fc.uniqueArray(fc.record({ number, doNotCall: fc.boolean() }), { selector: (entry) => entry.number })
})

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ _tag: fc.constant("Insert"), account, fields }) },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant("Update"), contact, fields, isRolledBack: fc.boolean() }) },
  fc.record({ _tag: fc.constant("Delete"), account, contact }),
  fc.record({ _tag: fc.constant("Find"), account, contact }),
  fc.record({ _tag: fc.constant("Touch"), contact, minutes: fc.integer({ min: -9, max: 9 }) }),
  fc.record({ _tag: fc.constant("Number"), account, number }),
  {
    weight: 3,
    arbitrary: fc.record({
      _tag: fc.constant("List"),
      account,
      search: fc.option(fc.constantFrom("J", "é", "%", ""), { nil: undefined }),
      tag: fc.option(fc.constantFrom(...tags), { nil: undefined }),
      number: fc.option(number, { nil: undefined }),
      page: fc.integer({ min: 1, max: 3 }),
      limit: fc.integer({ min: 1, max: 4 })
    })
  }
)

const phone = (index: number): PhoneNumber => PhoneNumber.make(`+1202555017${index}`)

const write = (state: State, owner: Account, data: Fields, known: Contact["phoneNumbers"]): Omit<ContactWrite, "id"> =>
  Samples.newContact(owner.id, {
    firstName: data.firstName,
    status: data.status,
    team: data.isShared ? state.team : null,
    tags: data.tags,
    phoneNumbers: data.numbers.map((entry, index) =>
      Samples.newNumber(phone(entry.number), {
        id: known.find((old) => old.phoneNumber === phone(entry.number))?.id ?? null,
        primary: index === 0,
        doNotCall: entry.doNotCall
      })
    )
  })

const step = Effect.fnUntraced(function* (state: State, action: Command) {
  const contacts = yield* ContactStore
  const transaction = yield* Transaction
  const owner = pick(state.accounts, "account" in action ? action.account : 0)
  const chosen = "contact" in action ? pick(state.contacts, action.contact) : undefined
  if (owner === undefined) return undefined
  // Only the second account is in the team.
  const scope = { accountId: owner.id, teamIds: owner.teamIds }

  switch (action._tag) {
    case "Insert": {
      const made = yield* contacts.insert(write(state, owner, action.fields, []))
      state.contacts.push(made)
      return state.show(made)
    }
    case "Update": {
      if (chosen === undefined) return undefined
      const change = Effect.gen(function* () {
        const everywhere = ownRows(chosen.accountId)
        const found = yield* contacts.findForUpdate(everywhere, chosen.id)
        if (Option.isNone(found)) return undefined
        const by = { ...owner, id: chosen.accountId }
        const next = write(state, by, action.fields, found.value.phoneNumbers)
        return yield* contacts.update({ ...next, id: chosen.id, lastCallDate: found.value.lastCallDate })
      })
      if (!action.isRolledBack) {
        const updated = yield* transaction.run(change)
        return updated === undefined ? undefined : state.show(updated)
      }
      // The ids of a rolled back update are not compared: a storage may or may not assign them again.
      return yield* transaction
        .run(Effect.andThen(change, Effect.fail("rolled back" as const)))
        .pipe(Effect.catch((error) => (error === "rolled back" ? Effect.succeed(error) : Effect.fail(error))))
    }
    case "Delete":
      return chosen === undefined ? undefined : yield* contacts.delete(scope, chosen.id)
    case "Find":
      return chosen === undefined
        ? undefined
        : Option.match(yield* contacts.find(scope, chosen.id), { onNone: () => null, onSome: state.show })
    case "Touch":
      return chosen === undefined ? undefined : yield* contacts.touchLastCall(chosen.id, Samples.later(action.minutes))
    case "Number": {
      const ids = yield* contacts.idsByNumber(owner.id, phone(action.number))
      return [ids.length, yield* (yield* DoNotCallStore).isBlocked(scope, phone(action.number))]
    }
    case "List": {
      const filter = {
        search: action.search,
        tag: action.tag,
        phoneNumber: action.number === undefined ? undefined : phone(action.number)
      }
      return Page.map(yield* contacts.list(scope, filter, { page: action.page, limit: action.limit }), state.show)
    }
  }
})

/** Commands for the contacts of two accounts. The second account is in a team. */
export const contactModel: Model<Command, State> = {
  command,
  begin: Effect.gen(function* () {
    const team = yield* Samples.makeTeam()
    const accounts = [yield* Samples.makeAccount(), yield* Samples.makeAccount({ teamIds: [team.id] })]
    const name = names()
    const show = (shown: Contact) => ({
      ...shown,
      id: name(`contact ${shown.id}`),
      accountId: name(`account ${shown.accountId}`),
      team: shown.team === null ? null : shown.team.name,
      phoneNumbers: shown.phoneNumbers.map((entry) => ({ ...entry, id: name(`number ${entry.id}`) }))
    })
    return { accounts, team, contacts: [], show }
  }),
  step
}
