import * as Effect from "effect/Effect"
import * as fc from "fast-check"

/**
 * Checks a law, whose body is an Effect, with many generated inputs.
 *
 * The body runs with the services of the calling Effect, so it can be used inside `it.effect`. An input refutes the law
 * if the body fails or dies, for example by an assertion that throws. The result of the body is ignored. The failure
 * has fast-check's report: seed, path and the smallest counterexample that was found.
 *
 * @example
 * ```ts
 * it.effect("adding is commutative", () =>
 *   Property.forAll(fc.tuple(fc.nat(), fc.nat()), ([a, b]) => Effect.sync(() => expect(a + b).toBe(b + a))))
 * ```
 */
export const forAll = <A, E, R>(
  arbitrary: fc.Arbitrary<A>,
  law: (input: A) => Effect.Effect<unknown, E, R>,
  parameters: fc.Parameters<[A]> = {}
): Effect.Effect<void, never, R> =>
  Effect.flatMap(Effect.context<R>(), (context) =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(arbitrary, (input) => Effect.runPromiseWith(context)(Effect.asVoid(law(input)))),
        parameters
      )
    )
  )
