import * as Effect from "effect/Effect"
import { expect } from "../suite/Expect.ts"
import { recordSuite } from "../suite/recordSuite.ts"
import type { Runner, RunnerOptions } from "../suite/Runner.ts"
import { describe } from "../suite/Tests.ts"
import type { Mutants, Mutate } from "./Mutant.ts"

/** The timeout of a test with a mutant. Some mutants make a test wait forever. */
const mutantTimeout = 2_000

/**
 * Verifies that suites find the faults of mutants. Registers a test for each mutant, in which at least one test of the
 * suites must fail. In one more test all tests of the suites must pass with the adapter as it is.
 *
 * @param suites runs the suites with the given runner, and with the layer of an adapter that `mutate` has changed
 *
 * @example
 * ```ts
 * mutantSuite("TeamStore", AccessMutants.teamStore, (mutate, runner) =>
 *   teamStoreSuite("memory", mutate(MemoryStorage.layer), { runner }))
 * ```
 */
export const mutantSuite = <Self>(
  name: string,
  mutants: Mutants<Self>,
  suites: (mutate: Mutate<Self>, runner: Runner) => void,
  options: RunnerOptions = {}
): void => {
  const failures = (mutate: Mutate<Self>, timeout?: number) =>
    Effect.promise(async () => {
      const recording = { stopsAtFailure: true, ...(timeout === undefined ? {} : { timeout }) }
      const tests = await recordSuite((runner) => suites(mutate, runner), recording)
      return tests.filter(({ result }) => result === "failed")
    })

  describe(options)(`mutants of ${name}`, (it) => {
    it.live("the adapter passes the suites", () =>
      Effect.gen(function* () {
        expect(yield* failures((layer) => layer)).toEqual([])
      })
    )

    for (const [fault, mutate] of Object.entries(mutants)) {
      it.live(`a test fails for the mutant: ${fault}`, () =>
        Effect.gen(function* () {
          expect(yield* failures(mutate, mutantTimeout)).toHaveLength(1)
        })
      )
    }
  })
}
