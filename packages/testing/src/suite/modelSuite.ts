import { expect, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as fc from "fast-check"
import * as Property from "../Property.ts"
import { contactModel } from "./contactModel.ts"
import { deliveryModel } from "./deliveryModel.ts"
import { eventModel } from "./eventModel.ts"
import type { Model } from "./Model.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"

/** How a model suite is run. */
export interface ModelSuiteOptions extends SuiteOptions {
  /** How many lists of commands are tried for each port; 100 unless said. */
  readonly runs?: number
}

/**
 * Gives random commands to a storage and to one that is known to be right, and compares every answer.
 *
 * A failure shows the shortest list of commands that tells the two apart.
 */
export const modelSuite = <E, E2>(
  name: string,
  storage: StorageLayer<E>,
  model: StorageLayer<E2>,
  options: ModelSuiteOptions = {}
): void => {
  layer(storage, options)(`${name}: commands`, (it) => {
    const compare = <Command, World>({ begin, command, step }: Model<Command, World>) =>
      Effect.gen(function* () {
        // Fresh, because the storage under test may be the very same layer.
        const known = yield* Layer.build(Layer.fresh(model))
        yield* Property.forAll(
          fc.array(command, { maxLength: 40 }),
          Effect.fnUntraced(function* (commands) {
            const [real, right] = [yield* begin, yield* Effect.provide(begin, known)]
            for (const next of commands) {
              const answer = yield* answerOf(step(real, next))
              expect(answer).toEqual(yield* answerOf(Effect.provide(step(right, next), known)))
            }
          }),
          { numRuns: options.runs ?? 100 }
        )
      })

    it.effect("contacts answer any commands as the model does", () => compare(contactModel), timeout)
    it.effect("calendar events answer any commands as the model does", () => compare(eventModel), timeout)
    it.effect("deliveries answer any commands as the model does", () => compare(deliveryModel), timeout)
  })
}

const timeout = 120_000

const answerOf = <A, E extends { readonly reason: string }, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(Effect.catch((error) => Effect.succeed({ failed: error.reason })))
