import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import * as TestConsole from "effect/testing/TestConsole"
import { aroundAll, type Runner, type RunnerOptions, runnerOf, type TestOptions } from "./Runner.ts"
import type { SuiteOptions } from "./Storage.ts"

/** Registers a test whose body is an Effect, with a timeout in milliseconds. */
type Register<R> = (
  name: string,
  body: () => Effect.Effect<unknown, unknown, R | Scope.Scope>,
  timeout?: number
) => void

/** Registers tests. The runner skips those that `skipIf` registers if the condition holds. */
export type Test<R> = Register<R> & { readonly skipIf: (condition: boolean) => Register<R> }

/** Registers the tests of a block that shares services. */
export interface It<R> {
  readonly effect: Test<R>
}

/** Registers the tests of a block without shared services. */
export interface ItAlone extends It<never> {
  /** A test with the real clock and console. */
  readonly live: Test<never>
}

/**
 * Returns a function that registers a block of tests. The services of the layer are built once, before the first test,
 * and released after the last one. Unless `excludeTestServices` is set, the tests share a test clock and a test console.
 */
export const layer =
  <R, E>(services: Layer.Layer<R, E>, options: SuiteOptions = {}) =>
  (name: string, register: (it: It<R>) => void): void => {
    const runner = runnerOf(options)
    runner.describe(name, () => {
      const scope = Effect.runSync(Scope.make())
      const layer = options.excludeTestServices === true ? services : Layer.provideMerge(services, testServices)
      const context = Effect.runSync(Effect.cached(Effect.orDie(Layer.buildWithScope(layer, scope))))
      const hooks = { before: () => run(context), after: () => run(Scope.close(scope, Exit.void)) }
      const { timeout } = options
      aroundAll(runner, hooks, timeout === undefined ? undefined : Duration.toMillis(Duration.fromInputUnsafe(timeout)))
      register({
        effect: test(runner, (body) => Effect.flatMap(context, (built) => Effect.provide(Effect.scoped(body), built)))
      })
    })
  }

/**
 * Returns a function that registers a block of tests without shared services. Each test has a test clock and a test
 * console of its own.
 */
export const describe =
  (options: RunnerOptions) =>
  (name: string, register: (it: ItAlone) => void): void => {
    const runner = runnerOf(options)
    runner.describe(name, () =>
      register({
        effect: test(runner, (body) => Effect.provide(Effect.scoped(body), testServices)),
        live: test(runner, Effect.scoped)
      })
    )
  }

const testServices = Layer.mergeAll(TestConsole.layer, TestClock.layer())

const test = <R>(
  runner: Runner,
  provide: (body: Effect.Effect<unknown, unknown, R | Scope.Scope>) => Effect.Effect<unknown, unknown>
): Test<R> => {
  const registerWith =
    (options: TestOptions): Register<R> =>
    (name, body, timeout) => {
      const all = timeout === undefined ? options : { ...options, timeout }
      // The parameter is destructured because Vitest reads in the source of the function what of the context it needs.
      runner.it(name, all, ({ signal }) => run(provide(Effect.suspend(body)), signal))
    }
  return Object.assign(registerWith({}), { skipIf: (skip: boolean) => registerWith({ skip }) })
}

/** Runs an effect. Its failure rejects the Promise with an error that a runner can show. */
const run = async (effect: Effect.Effect<unknown, unknown>, signal?: AbortSignal): Promise<void> => {
  const exit = await Effect.runPromiseExit(effect, signal === undefined ? {} : { signal })
  if (Exit.isFailure(exit)) throw errorOf(exit.cause)
}

/** Returns the only error of the cause, which may carry a difference to show, or else a text of the whole cause. */
const errorOf = (cause: Cause.Cause<unknown>): Error => {
  const error = Cause.squash(cause)
  const saysAll = cause.reasons.length === 1 && error instanceof Error && error.message !== ""
  return saysAll ? error : new Error(Cause.pretty(cause), { cause: error })
}
