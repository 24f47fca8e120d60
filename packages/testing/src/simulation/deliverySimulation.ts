import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as fc from "fast-check"
import * as Property from "../Property.ts"
import * as Coverage from "./Coverage.ts"
import * as Fact from "./Fact.ts"
import * as History from "./History.ts"
import { knownPlans } from "./knownPlans.ts"
import { type Plan, plan } from "./Plan.ts"

/** How a simulation is run. */
export interface SimulationOptions {
  /** How many histories happen; 1,000 unless said. */
  readonly runs?: number
  /** For how long they may take together; 2 minutes unless said. */
  readonly timeout?: Duration.Input
  /**
   * The seed from which histories are drawn. By default that of fast-check's global configuration, and a fixed one where
   * that has none: a run checks how often each thing went wrong, which must not depend on chance.
   */
  readonly seed?: number
}

/** How many facts of a history that breaks a rule are shown: those before it. */
const shown = 150

/**
 * Runs the delivery engine on a storage in a simulation: time, the order in which things happen, faults, crashes, what
 * receivers answer and what clients do are drawn from a seed, and everything that happens is held against the rules of
 * delivery. A failure shows the shortest plan that breaks a rule, and the history that came of it.
 *
 * The storage is built anew for each history. A call of it must be done when it returns, without waiting for anything;
 * its times are those it is given.
 */
export const deliverySimulation = <E>(
  name: string,
  storage: Layer.Layer<History.Storage, E>,
  options: SimulationOptions = {}
): void => {
  const runs = options.runs ?? 1_000
  const timeout = Duration.toMillis(options.timeout ?? "2 minutes")
  const seed = options.seed ?? fc.readConfigureGlobal().seed ?? 1

  const happen = (chosen: Plan) =>
    Effect.scoped(Effect.map(Layer.build(Layer.fresh(storage)), (context) => History.run(chosen, context)))

  const keepsTheRules = Effect.fnUntraced(function* (chosen: Plan) {
    const history = yield* happen(chosen)
    if (history.broken !== null) return yield* Effect.die(new Error(report(history)))
    return history.seen
  })

  describe(`${name}: simulated delivery`, () => {
    for (const [claim, known] of Object.entries(knownPlans)) {
      it.effect(`a known plan keeps every rule: ${claim}`, () => keepsTheRules(known))
    }

    it.effect(
      `${runs} histories keep every rule, and all that can go wrong goes wrong in them`,
      () =>
        Effect.gen(function* () {
          const seen = new Map<string, number>()
          yield* Property.forAll(
            plan(),
            Effect.fnUntraced(function* (chosen) {
              for (const [thing, times] of yield* keepsTheRules(chosen)) seen.set(thing, (seen.get(thing) ?? 0) + times)
            }),
            { numRuns: runs, seed }
          )
          expect(Coverage.missing(seen, runs)).toEqual([])
        }),
      timeout
    )

    it.effect(
      "a plan with its seed happens again in the same way, fact for fact",
      () =>
        Property.forAll(
          plan(),
          Effect.fnUntraced(function* (chosen) {
            expect((yield* happen(chosen)).entries).toEqual((yield* happen(chosen)).entries)
          }),
          { numRuns: Math.ceil(runs / 50), seed }
        ),
      timeout
    )

    it.effect("another seed lets the same plan happen in another way", () =>
      Effect.gen(function* () {
        const [chosen] = fc.sample(plan(), { numRuns: 1, seed: 2 })
        if (chosen === undefined) return expect.fail()
        const histories = yield* Effect.forEach([1, 2, 3], (seed) => happen({ ...chosen, seed }))
        expect(new Set(histories.map((history) => lines(history).join())).size).toBe(3)
      })
    )
  })
}

const lines = ({ entries }: History.History) => entries.map(Fact.show)

const report = (history: History.History): string =>
  [`broken: ${history.broken}`, "", ...lines(history).slice(-shown)].join("\n")
