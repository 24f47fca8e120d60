import { SignInLinkId } from "@frontdesk/core/access/Session"
import { SignInLinkStore } from "@frontdesk/core/access/SignInLinkStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { changed, Database, duplicate } from "../storage/Database.ts"
import * as Table from "../storage/Table.ts"
import * as People from "./People.ts"

/** The `SignInLinkStore` in memory. */
export const layer: Layer.Layer<SignInLinkStore, never, Database> = Layer.effect(
  SignInLinkStore,
  Effect.map(Database, (database) =>
    SignInLinkStore.of({
      insert: (link) =>
        database.modify((state) => {
          if (Table.where(state.signInLinks, ({ digest }) => digest === link.digest).length > 0)
            return duplicate("SignInLinkStore.insert", "digest")
          const [row, signInLinks] = Table.insert(state.signInLinks, (id) => ({ ...link, id: SignInLinkId.make(id) }))
          const { digest: _, ...stored } = row
          return changed(stored, { ...state, signInLinks })
        }),
      findByDigest: (digest) =>
        database.read((state) => {
          const [row] = Table.where(state.signInLinks, (link) => link.digest === digest)
          return row === undefined ? Option.none() : Option.some(People.shown(state, row))
        }),
      list: (accountId, now, limit) =>
        database.read((state) =>
          Table.where(
            state.signInLinks,
            (link) => link.accountId === accountId && DateTime.isGreaterThan(link.expiresAt, now)
          )
            .slice(0, limit)
            .map((row) => People.shown(state, row))
        ),
      count: (accountId, memberId, now) =>
        database.read(
          (state) =>
            Table.where(state.signInLinks, People.ofMember(accountId, memberId)).filter(({ expiresAt }) =>
              DateTime.isGreaterThan(expiresAt, now)
            ).length
        ),
      delete: (accountId, id) =>
        database.modify((state) =>
          Option.exists(Table.get(state.signInLinks, id), (link) => link.accountId === accountId)
            ? changed(true, { ...state, signInLinks: Table.remove(state.signInLinks, id) })
            : changed(false, state)
        ),
      keepNewest: (accountId, memberId, count, now) =>
        database.modify((state) => {
          const rows = People.exceptNewest(state.signInLinks, People.ofMember(accountId, memberId), count, now)
          return changed(undefined, { ...state, signInLinks: People.without(state.signInLinks, rows) })
        }),
      sweep: (now, limit) =>
        database.modify((state) => {
          const rows = People.expired(state.signInLinks, now, limit)
          return changed(rows.length, { ...state, signInLinks: People.without(state.signInLinks, rows) })
        })
    })
  )
)
