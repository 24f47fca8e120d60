import type { ServerNode } from "@frontdesk/core/operator/ServerNode"
import { ServerNodeStore } from "@frontdesk/core/operator/ServerNodeStore"
import * as Effect from "effect/Effect"
import * as Samples from "./Samples.ts"

/** Returns a process that no storage knows yet. */
export const newNode = (overrides: Partial<ServerNode> = {}): ServerNode => ({
  name: Samples.unique("node"),
  version: "1.2.3",
  runtime: "Node.js 26.0.0",
  workers: 15,
  restarting: 1,
  startedAt: Samples.later(-5),
  reportedAt: Samples.now,
  ...overrides
})

/** Returns the processes with these names, in the order of the list. */
export const listed = (...names: ReadonlyArray<string>) =>
  Effect.flatMap(ServerNodeStore, (nodes) =>
    Effect.map(nodes.list(1_000), (all) => all.filter(({ name }) => names.includes(name)))
  )

/** Before the reports of other tests, so that a sweep deletes only those of its own test. */
export const sweptBefore = Samples.later(-400_000)
