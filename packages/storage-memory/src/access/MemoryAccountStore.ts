import { type Account, AccountId, balance, type Funds } from "@frontdesk/core/access/Account"
import { AccountStore, maxSearched } from "@frontdesk/core/access/AccountStore"
import * as FundMovement from "@frontdesk/core/access/FundMovement"
import * as Money from "@frontdesk/core/values/Money"
import * as Page from "@frontdesk/core/values/Page"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { changed, Database } from "../storage/Database.ts"
import type { State } from "../storage/State.ts"
import * as Movements from "./Movements.ts"
import * as Table from "../storage/Table.ts"

const none: Funds = { deposits: Money.zero, charges: Money.zero, reservations: Money.zero }

const fundsOf = (state: State, id: AccountId): Funds => Option.getOrElse(HashMap.get(state.funds, id), () => none)

const add = (funds: Funds, change: Funds): Funds => ({
  deposits: Money.sum(funds.deposits, change.deposits),
  charges: Money.sum(funds.charges, change.charges),
  reservations: Money.sum(funds.reservations, change.reservations)
})

/** Returns a text with the letters of ASCII in lower case. */
const asciiLower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** The `AccountStore` in memory. */
export const layer: Layer.Layer<AccountStore, never, Database> = Layer.effect(
  AccountStore,
  Effect.map(Database, (database) =>
    AccountStore.of({
      insert: (account) =>
        database.modify((state) => {
          const [inserted, accounts] = Table.insert(state.accounts, (id): Account => ({
            ...account,
            id: AccountId.make(id)
          }))
          return changed(inserted, { ...state, accounts })
        }),
      update: (account) =>
        database.modify((state) =>
          changed(undefined, { ...state, accounts: Table.update(state.accounts, account.id, () => account) })
        ),
      find: (id) => database.read((state) => Table.get(state.accounts, id)),
      findForUpdate: (id) => database.read((state) => Table.get(state.accounts, id)),
      list: (after, limit) =>
        database.read((state) => Table.where(state.accounts, ({ id }) => id > (after ?? 0)).slice(0, limit)),
      search: (text, page) =>
        database.read((state) => {
          const form = asciiLower(text ?? "")
          const all = Table.where(state.accounts, () => true).toReversed()
          const found = all.filter(
            ({ id, name }, index) => String(id) === form || (index < maxSearched && asciiLower(name).includes(form))
          )
          return {
            ...Page.map(Page.slice(found, page), (account) => ({ account, funds: fundsOf(state, account.id) })),
            isCapped: all.length > maxSearched
          }
        }),
      clientsOf: (partnerId) =>
        database.read((state) =>
          Table.where(state.accounts, (account) => account.partnerId === partnerId && account.role === "client").map(
            ({ id }) => id
          )
        ),
      funds: (id) => database.read((state) => fundsOf(state, id)),
      // Transactions run one after the other, so nothing needs a lock.
      lockFunds: (id) => database.read((state) => fundsOf(state, id)),
      changeFunds: (id, change, cause) =>
        database.modify((state) => {
          const funds = add(fundsOf(state, id), FundMovement.sumsOf(change))
          return Option.isNone(Table.get(state.accounts, id)) || balance(funds) < 0
            ? changed(false, state)
            : changed(true, {
                ...Movements.record(state, id, change, cause),
                funds: HashMap.set(state.funds, id, funds)
              })
        })
    })
  )
)
