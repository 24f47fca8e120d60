import type { AccountId } from "@frontdesk/core/access/Account"
import { SessionId } from "@frontdesk/core/access/Person"
import type { Session } from "@frontdesk/core/access/Session"
import { SessionStore } from "@frontdesk/core/access/SessionStore"
import * as Page from "@frontdesk/core/values/Page"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { changed, Database, duplicate } from "../storage/Database.ts"
import type { State, WithDigest } from "../storage/State.ts"
import * as Table from "../storage/Table.ts"
import * as People from "./People.ts"

const get = (state: State, accountId: AccountId, id: SessionId): Option.Option<WithDigest<Session>> =>
  Option.filter(Table.get(state.sessions, id), (session) => session.accountId === accountId)

const without = (state: State, rows: ReadonlyArray<WithDigest<Session>>): State => ({
  ...state,
  sessions: People.without(state.sessions, rows)
})

/** The `SessionStore` in memory. */
export const layer: Layer.Layer<SessionStore, never, Database> = Layer.effect(
  SessionStore,
  Effect.map(Database, (database) =>
    SessionStore.of({
      insert: (session) =>
        database.modify((state) => {
          if (Table.where(state.sessions, ({ digest }) => digest === session.digest).length > 0)
            return duplicate("SessionStore.insert", "digest")
          const [row, sessions] = Table.insert(state.sessions, (id) => ({ ...session, id: SessionId.make(id) }))
          const { digest: _, ...stored } = row
          return changed(stored, { ...state, sessions })
        }),
      findByDigest: (digest) =>
        database.read((state) => {
          const [row] = Table.where(state.sessions, (session) => session.digest === digest)
          return row === undefined
            ? Option.none()
            : Option.map(Table.get(state.accounts, row.accountId), (account) => ({
                session: People.shown(state, row),
                account
              }))
        }),
      find: (accountId, id) =>
        database.read((state) => Option.map(get(state, accountId, id), (row) => People.shown(state, row))),
      list: (accountId, memberId, now, page) =>
        database.read((state) => {
          const rows = Table.where(
            state.sessions,
            (row) =>
              row.accountId === accountId &&
              (memberId === null || row.memberId === memberId) &&
              DateTime.isGreaterThan(row.expiresAt, now)
          )
          return Page.map(Page.slice(rows.toReversed(), page), (row) => People.shown(state, row))
        }),
      touch: (accountId, id, lastUsedAt, expiresAt) =>
        database.modify((state) =>
          changed(
            undefined,
            Option.isNone(get(state, accountId, id))
              ? state
              : { ...state, sessions: Table.update(state.sessions, id, (row) => ({ ...row, lastUsedAt, expiresAt })) }
          )
        ),
      delete: (accountId, id) =>
        database.modify((state) =>
          Option.match(get(state, accountId, id), {
            onNone: () => changed(false, state),
            onSome: (row) => changed(true, without(state, [row]))
          })
        ),
      deleteAll: (accountId, memberId) =>
        database.modify((state) => {
          const rows = Table.where(
            state.sessions,
            (row) => row.accountId === accountId && (memberId === null || row.memberId === memberId)
          )
          return changed(rows.length, without(state, rows))
        }),
      keepNewest: (accountId, memberId, count, now) =>
        database.modify((state) =>
          changed(
            undefined,
            without(state, People.exceptNewest(state.sessions, People.ofMember(accountId, memberId), count, now))
          )
        ),
      sweep: (now, limit) =>
        database.modify((state) => {
          const rows = People.expired(state.sessions, now, limit)
          return changed(rows.length, without(state, rows))
        })
    })
  )
)
