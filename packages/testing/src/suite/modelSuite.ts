import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as fc from "fast-check"
import * as Property from "../Property.ts"
import { contactModel } from "./contactModel.ts"
import { deliveryModel } from "./deliveryModel.ts"
import { calendarEventModel } from "./calendarEventModel.ts"
import type { Model } from "./Model.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Options of a model suite. */
export interface ModelSuiteOptions extends SuiteOptions {
  /** The number of generated lists of commands for each port. Default: 100. */
  readonly runs?: number
}

/**
 * Executes random commands on a storage and on a model, a storage that is known to be correct, and compares every
 * result.
 *
 * A failure shows the shortest list of commands whose results differ.
 */
export const modelSuite = <E, E2>(
  name: string,
  storage: StorageLayer<E>,
  model: StorageLayer<E2>,
  options: ModelSuiteOptions = {}
): void => {
  layer(storage, options)(`${name}: comparison with a model`, (it) => {
    const compare = <Command, State>({ begin, command, step }: Model<Command, State>) =>
      Effect.gen(function* () {
        // Without `fresh` both would share one storage when the same layer is passed twice.
        const known = yield* Layer.build(Layer.fresh(model))
        yield* Property.forAll(
          fc.array(command, { maxLength: 40 }),
          Effect.fnUntraced(function* (commands) {
            const [tested, expected] = [yield* begin, yield* Effect.provide(begin, known)]
            for (const next of commands) {
              const result = yield* resultOf(step(tested, next))
              expect(result).toEqual(yield* resultOf(Effect.provide(step(expected, next), known)))
            }
          }),
          { numRuns: options.runs ?? 100 }
        )
      })

    it.effect("random commands on contacts return the same results as the model", () => compare(contactModel), timeout)
    it.effect(
      "random commands on calendar events return the same results as the model",
      () => compare(calendarEventModel),
      timeout
    )
    it.effect(
      "random commands on deliveries return the same results as the model",
      () => compare(deliveryModel),
      timeout
    )
  })
}

const timeout = 120_000

const resultOf = <A, E extends { readonly reason: string }, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(Effect.catch((error) => Effect.succeed({ failed: error.reason })))
