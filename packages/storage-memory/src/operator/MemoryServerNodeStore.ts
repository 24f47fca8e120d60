import { ServerNodeStore } from "@frontdesk/core/operator/ServerNodeStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { changed, Database } from "../storage/Database.ts"

/** The `ServerNodeStore` in memory. */
export const layer: Layer.Layer<ServerNodeStore, never, Database> = Layer.effect(
  ServerNodeStore,
  Effect.map(Database, (database) =>
    ServerNodeStore.of({
      report: (node) =>
        database.modify((state) =>
          changed(undefined, { ...state, serverNodes: HashMap.set(state.serverNodes, node.name, node) })
        ),
      list: (limit) =>
        database.read((state) =>
          [...HashMap.values(state.serverNodes)]
            .toSorted((a, b) => DateTime.Order(b.reportedAt, a.reportedAt))
            .slice(0, limit)
        ),
      delete: ({ name, startedAt }) =>
        database.modify((state) => {
          const isIt = Option.exists(HashMap.get(state.serverNodes, name), (node) =>
            DateTime.Equivalence(node.startedAt, startedAt)
          )
          return changed(undefined, isIt ? { ...state, serverNodes: HashMap.remove(state.serverNodes, name) } : state)
        }),
      sweep: (before, { rows }) =>
        database.modify((state) => {
          const silent = [...HashMap.values(state.serverNodes)]
            .filter(({ reportedAt }) => DateTime.isLessThan(reportedAt, before))
            .toSorted((a, b) => DateTime.Order(a.reportedAt, b.reportedAt))
            .slice(0, rows)
            .map(({ name }) => name)
          return changed(silent.length, {
            ...state,
            serverNodes: HashMap.removeMany(state.serverNodes, silent)
          })
        })
    })
  )
)
