import type { ConnectionKey } from "@frontdesk/core/external-calendar/CalendarConnection"
import {
  CalendarConnectionStore,
  type StoredConnection
} from "@frontdesk/core/external-calendar/CalendarConnectionStore"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { changed, Database } from "../storage/Database.ts"
import type { State } from "../storage/State.ts"

const nameOf = ({ accountId, provider }: ConnectionKey): string => `${accountId} ${provider}`

const order = (a: ConnectionKey, b: ConnectionKey): number =>
  a.accountId - b.accountId || Number(a.provider > b.provider) - Number(a.provider < b.provider)

const put = (state: State, stored: StoredConnection): State => ({
  ...state,
  connections: HashMap.set(state.connections, nameOf(stored.connection), stored)
})

const inOrder = (state: State): ReadonlyArray<StoredConnection> =>
  HashMap.toValues(state.connections).toSorted((a, b) => order(a.connection, b.connection))

/** The `CalendarConnectionStore` in memory. */
export const layer: Layer.Layer<CalendarConnectionStore, never, Database> = Layer.effect(
  CalendarConnectionStore,
  Effect.map(Database, (database) =>
    CalendarConnectionStore.of({
      put: (connection, credentials) =>
        database.modify((state) => {
          const before = HashMap.get(state.connections, nameOf(connection))
          const createdAt = Option.match(before, {
            onNone: () => connection.createdAt,
            onSome: (stored) => stored.connection.createdAt
          })
          const stored = { connection: { ...connection, createdAt }, credentials }
          return changed(stored.connection, put(state, stored))
        }),
      find: (key) => database.read((state) => HashMap.get(state.connections, nameOf(key))),
      list: (accountId) =>
        database.read((state) =>
          inOrder(state)
            .map(({ connection }) => connection)
            .filter((connection) => connection.accountId === accountId)
        ),
      listAll: (after, limit) =>
        database.read((state) =>
          inOrder(state)
            .filter(({ connection }) => after === null || order(connection, after) > 0)
            .slice(0, limit)
            .map(({ connection }) => connection)
        ),
      remove: (key) =>
        database.modify((state) =>
          changed(HashMap.has(state.connections, nameOf(key)), {
            ...state,
            connections: HashMap.remove(state.connections, nameOf(key))
          })
        ),
      secrets: (after, limit) =>
        database.read((state) =>
          inOrder(state)
            .filter(({ connection }) => after === null || order(connection, after) > 0)
            .slice(0, limit)
            .map(({ connection: { accountId, provider }, credentials }) => ({
              accountId,
              provider,
              stored: credentials
            }))
        ),
      replaceSecret: (key, before, after) =>
        database.modify((state) => {
          const found = Option.filter(
            HashMap.get(state.connections, nameOf(key)),
            ({ credentials }) => Redacted.value(credentials) === Redacted.value(before)
          )
          return Option.match(found, {
            onNone: () => changed(false, state),
            onSome: ({ connection }) => changed(true, put(state, { connection, credentials: after }))
          })
        })
    })
  )
)
