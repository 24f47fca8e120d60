import type { ServerNode } from "@frontdesk/core/operator/ServerNode"
import { ServerNodeStore } from "@frontdesk/core/operator/ServerNodeStore"
import * as Effect from "effect/Effect"
import { justAfter, justBefore, mutantsOf, reversed, wholeSeconds } from "./Mutant.ts"

/** Mutants of `ServerNodeStore`. */
export const serverNodeStore = mutantsOf(ServerNodeStore, {
  "report has no effect": () => ({ report: () => Effect.void }),
  "report keeps the first report of a name": (store) => {
    const names = new Set<string>()
    return {
      report: (node) => {
        const isFirst = !names.has(node.name)
        names.add(node.name)
        return isFirst ? store.report(node) : Effect.void
      }
    }
  },
  "report keeps the start of the first report": (store) => {
    const starts = new Map<string, ServerNode["startedAt"]>()
    return {
      report: (node) => {
        const startedAt = starts.get(node.name) ?? node.startedAt
        starts.set(node.name, startedAt)
        return store.report({ ...node, startedAt })
      }
    }
  },
  "report stores no restarting workers": (store) => ({
    report: (node) => store.report({ ...node, restarting: 0 })
  }),
  "report stores times in whole seconds": (store) => ({
    report: (node) => store.report({ ...node, reportedAt: wholeSeconds(node.reportedAt) })
  }),
  "list returns the earliest reports first": (store) => ({ list: (limit) => reversed(store.list(limit)) }),
  "list ignores the limit": (store) => ({ list: () => store.list(1_000) }),
  "delete has no effect": () => ({ delete: () => Effect.void }),
  "delete deletes another process of the name": (store) => ({
    delete: ({ name }) =>
      Effect.flatMap(store.list(1_000), (all) =>
        Effect.forEach(
          all.filter((node) => node.name === name),
          store.delete,
          { discard: true }
        )
      )
  }),
  "delete deletes all processes that started at the same time": (store) => ({
    delete: ({ startedAt }) =>
      Effect.flatMap(store.list(1_000), (all) =>
        Effect.forEach(all, ({ name }) => store.delete({ name, startedAt }), { discard: true })
      )
  }),
  "sweep has no effect": () => ({ sweep: () => Effect.succeed(0) }),
  "sweep deletes a millisecond too late": (store) => ({
    sweep: (before, limit) => store.sweep(justBefore(before), limit)
  }),
  "sweep deletes a report of the instant itself": (store) => ({
    sweep: (before, limit) => store.sweep(justAfter(before), limit)
  }),
  "sweep ignores the limit": (store) => ({
    sweep: (before, limit) => store.sweep(before, { ...limit, rows: 1_000 })
  }),
  "sweep returns one more": (store) => ({
    sweep: (before, limit) => Effect.map(store.sweep(before, limit), (count) => count + 1)
  })
})
