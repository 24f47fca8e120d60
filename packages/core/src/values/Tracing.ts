import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as References from "effect/References"
import type * as Tracer from "effect/Tracer"

/** A place in the source, as a line of a stack. It is computed only when an error is printed. */
type Place = () => string | undefined

const nowhere: Place = () => undefined

/** Returns the caller that is `depth` calls above the code that made the error. */
const callerOf =
  (error: Error, depth: number): Place =>
  () =>
    error.stack?.split("\n")[depth + 1]?.trim()

/** Returns whether the spans of a fiber are recorded: a tracer was provided to it, and tracing is on (D-SRV-18). */
export const isTraced = ({ cache }: Fiber.Fiber<unknown, unknown>): boolean =>
  cache.tracer !== undefined && cache.tracerEnabled

/** Returns the effect with the changes that tracing needs, or the same effect in a fiber that is not traced. */
const whenTraced = <A, E, R, E1, R1>(
  effect: Effect.Effect<A, E, R>,
  trace: (effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E1, R1>
): Effect.Effect<A, E | E1, R | R1> =>
  Effect.withFiber<A, E | E1, R | R1>((fiber) => (isTraced(fiber) ? trace(effect) : effect))

/**
 * Runs the effect in a span. Does nothing in a fiber without a tracer.
 *
 * Equals `Effect.withSpan`, whose span takes time also when no tracer receives it (D-SRV-18).
 */
export const span = (
  name: string,
  options?: Tracer.SpanOptionsNoTrace
): (<A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>) => {
  const captureStackTrace = callerOf(new Error(), 1)
  // oxlint-disable-next-line eslint/no-restricted-properties -- The effect is traced.
  return (effect) => whenTraced(effect, Effect.withSpan(name, options, { captureStackTrace }))
}

type Define = (...parts: ReadonlyArray<unknown>) => never

/**
 * Returns `Effect.fnUntraced`, with a span around each call in a fiber with a tracer.
 *
 * Every use case and every method of an adapter is defined with it:
 *
 * ```ts
 * const get = Tracing.operation("Contacts.get")(function* (id: ContactId) {
 *   return yield* found(contacts.find(scope(yield* Principal), id), id)
 * })
 * ```
 *
 * With a tracer it equals `Effect.fn(name)`: the same span, and the same lines in the stacks of errors, which name the
 * caller and the definition. Without a tracer `Effect.fn` makes spans too, and they take more time than a short method
 * itself (D-SRV-18).
 */
export const operation = (name: string): Effect.fn.Untraced => {
  const definition = { name: `${name} (definition)`, stack: callerOf(new Error(), 1) }
  const trace = <A, E, R>(effect: Effect.Effect<A, E, R>) => {
    // A stack can be read only now, so it is missing when an effect is made outside the traced fiber that runs it.
    const fiber = Fiber.getCurrent()
    const captureStackTrace = fiber !== undefined && isTraced(fiber) ? callerOf(new Error(), 2) : nowhere
    return whenTraced(effect, (effect) =>
      Effect.updateService(
        // oxlint-disable-next-line eslint/no-restricted-properties -- The effect is traced.
        Effect.withSpan(effect, name, { captureStackTrace }),
        References.CurrentStackFrame,
        (parent) => ({ ...definition, parent })
      )
    )
  }
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- `fnUntraced` takes any number of steps, but its type lists them one by one.
  const define = Effect.fnUntraced as unknown as Define
  return (...parts: ReadonlyArray<unknown>) => define(...parts, trace)
}
