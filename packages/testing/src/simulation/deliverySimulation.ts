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
import { expect, fail } from "../suite/Expect.ts"
import type { RunnerOptions } from "../suite/Runner.ts"
import { describe } from "../suite/Tests.ts"

/** Options of a simulation. */
export interface SimulationOptions extends RunnerOptions {
  /** The number of generated histories. Default: 1,000. */
  readonly runs?: number
  /** The timeout for all histories together. Default: 2 minutes. */
  readonly timeout?: Duration.Input
  /**
   * The seed of the histories. Default: the seed of fast-check's global configuration, or a fixed one. A run checks how
   * often each case occurred (`Coverage`), and that must not depend on chance.
   */
  readonly seed?: number
}

/** How many facts before a broken rule the report shows. */
const shown = 150

/**
 * Verifies delivery on a storage by simulation. Time, the order of tasks, faults, crashes, the answers of receivers and
 * the requests of clients are drawn from a seed. Everything that happens is checked against the rules of delivery. A
 * failure shows the shortest plan that breaks a rule, with its history.
 *
 * Each history begins with a new storage. A call of the storage must complete synchronously and take all times from its
 * arguments.
 */
export const deliverySimulation = <E>(
  name: string,
  storage: Layer.Layer<History.Storage, E>,
  options: SimulationOptions = {}
): void => {
  const runs = options.runs ?? 1_000
  const timeout = Duration.toMillis(options.timeout ?? "2 minutes")
  const seed = options.seed ?? fc.readConfigureGlobal().seed ?? 1

  const simulate = (chosen: Plan) =>
    Effect.scoped(Effect.map(Layer.build(Layer.fresh(storage)), (context) => History.run(chosen, context)))

  const checkRules = Effect.fnUntraced(function* (chosen: Plan) {
    const history = yield* simulate(chosen)
    if (history.broken !== null) return yield* Effect.die(new Error(report(history)))
    return history.cases
  })

  describe(options)(`${name}: simulated delivery`, (it) => {
    for (const [situation, known] of Object.entries(knownPlans)) {
      it.effect(`a plan that once broke a rule breaks none: ${situation}`, () => checkRules(known))
    }

    it.effect(
      `${runs} random histories break no rule of delivery, and each case occurs in them as often as Coverage requires`,
      () =>
        Effect.gen(function* () {
          const cases = new Map<string, number>()
          yield* Property.forAll(
            plan(),
            Effect.fnUntraced(function* (chosen) {
              for (const [name, times] of yield* checkRules(chosen)) cases.set(name, (cases.get(name) ?? 0) + times)
            }),
            { numRuns: runs, seed }
          )
          expect(Coverage.missing(cases, runs)).toEqual([])
        }),
      timeout
    )

    it.effect(
      "the same plan with the same seed has the same history",
      () =>
        Property.forAll(
          plan(),
          Effect.fnUntraced(function* (chosen) {
            expect((yield* simulate(chosen)).entries).toEqual((yield* simulate(chosen)).entries)
          }),
          { numRuns: Math.ceil(runs / 50), seed }
        ),
      timeout
    )

    it.effect("the same plan with another seed has another history", () =>
      Effect.gen(function* () {
        const [chosen] = fc.sample(plan(), { numRuns: 1, seed: 2 })
        if (chosen === undefined) return fail("unreachable")
        const histories = yield* Effect.forEach([1, 2, 3], (seed) => simulate({ ...chosen, seed }))
        expect(new Set(histories.map((history) => lines(history).join())).size).toBe(3)
      })
    )
  })
}

const lines = ({ entries }: History.History) => entries.map(Fact.show)

const report = (history: History.History): string =>
  [`broken: ${history.broken}`, "", ...lines(history).slice(-shown)].join("\n")
