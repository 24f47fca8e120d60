import { ServerNodeStore } from "@frontdesk/core/operator/ServerNodeStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { expect } from "./Expect.ts"
import * as Samples from "./Samples.ts"
import { listed, newNode, sweptBefore } from "./ServerNodes.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { layer } from "./Tests.ts"

/** Verifies a `ServerNodeStore`. */
export const serverNodeStoreSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: ServerNodeStore`, (it) => {
    it.effect("report stores a process with every field, and replaces its last report", () =>
      Effect.gen(function* () {
        const nodes = yield* ServerNodeStore
        const [node, beside] = [newNode(), newNode({ workers: 0 })]
        yield* nodes.report(node)
        yield* nodes.report(beside)
        expect(yield* listed(node.name)).toEqual([node])
        const restarted = newNode({
          name: node.name,
          version: "1.3.0",
          runtime: "Node.js 26.1.0",
          workers: 3,
          restarting: 2,
          startedAt: Samples.later(1.5),
          reportedAt: Samples.later(2.5)
        })
        yield* nodes.report(restarted)
        expect(yield* listed(node.name)).toEqual([restarted])
        expect(yield* listed(beside.name)).toEqual([beside])
      })
    )

    it.effect("list returns those that reported last first, and at most the limit", () =>
      Effect.gen(function* () {
        const nodes = yield* ServerNodeStore
        // After the reports of other tests.
        const all = [2, 1, 3].map((minute) => newNode({ reportedAt: Samples.later(50_000 + minute) }))
        yield* Effect.forEach(all, nodes.report)
        const [second, third, first] = all
        expect(yield* listed(...all.map(({ name }) => name))).toEqual([first, second, third])
        expect(yield* nodes.list(2)).toEqual([first, second])
        yield* Effect.forEach(all, nodes.delete)
      })
    )

    it.effect("delete removes a process, unless another one has taken its name", () =>
      Effect.gen(function* () {
        const nodes = yield* ServerNodeStore
        const [node, beside] = [newNode(), newNode()]
        yield* nodes.report(node)
        yield* nodes.report(beside)
        yield* nodes.delete({ name: node.name, startedAt: Samples.later(-4) })
        expect(yield* listed(node.name, beside.name)).toHaveLength(2)
        yield* nodes.delete(node)
        expect(yield* listed(node.name, beside.name)).toEqual([beside])
        yield* nodes.delete(node)
      })
    )

    it.effect("sweep deletes those that last reported before the instant, the earliest first", () =>
      Effect.gen(function* () {
        const nodes = yield* ServerNodeStore
        yield* Samples.sweepAll(nodes, sweptBefore)
        const justBefore = DateTime.subtract(sweptBefore, { milliseconds: 1 })
        const old = [Samples.later(-400_002), Samples.later(-400_003), justBefore].map((reportedAt) =>
          newNode({ reportedAt })
        )
        const kept = newNode({ reportedAt: sweptBefore })
        yield* Effect.forEach([...old, kept], nodes.report)
        const names = [...old, kept].map(({ name }) => name)
        expect(yield* nodes.sweep(sweptBefore, Samples.rowLimit(2))).toBe(2)
        expect(yield* listed(...names)).toEqual([kept, old[2]])
        expect(yield* nodes.sweep(sweptBefore, Samples.rowLimit(2))).toBe(1)
        expect(yield* nodes.sweep(sweptBefore, Samples.rowLimit(2))).toBe(0)
        expect(yield* listed(...names)).toEqual([kept])
      })
    )
  })
}
