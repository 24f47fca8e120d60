import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

/**
 * Returns a copy of a value that shares no array, plain object or bytes with it. Values that do not change, such as
 * instants and secrets, stay as they are, and so do functions.
 */
const copy = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(copy)
  if (value instanceof Uint8Array) return value.slice()
  if (Option.isOption(value)) return Option.map(value, copy)
  if (!isPlain(value)) return value
  const entries: ReadonlyArray<readonly [string, unknown]> = Object.entries(value)
  return Object.fromEntries(entries.map(([key, inner]) => [key, copy(inner)]))
}

/**
 * Builds the services of a layer so that they share no objects with those who call them: arguments are copied on the way
 * in, results on the way out. A caller that changes an object of its own, or one that it was given, changes nothing that
 * is stored, as with a database.
 */
export const isolated = <Services, E, R>(layer: Layer.Layer<Services, E, R>): Layer.Layer<Services, E, R> =>
  Layer.effectContext(
    Effect.map(Layer.build(layer), (services) =>
      Context.makeUnsafe<Services>(
        new Map([...services.mapUnsafe].map(([key, service]: [string, unknown]) => [key, isolate(service)]))
      )
    )
  )

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Stores are plain objects. A context holds other services too, which layers need as they are. */
const isolate = (service: unknown): unknown => {
  if (typeof service !== "object" || service === null || !isPlain(service)) return service
  const members: ReadonlyArray<readonly [string, unknown]> = Object.entries(service)
  return Object.fromEntries(
    members.map(([name, member]) => [
      name,
      typeof member === "function"
        ? (...given: ReadonlyArray<unknown>): unknown => copied(Reflect.apply(member, undefined, given.map(copy)))
        : copied(member)
    ])
  )
}

const copied = (result: unknown): unknown => (Effect.isEffect(result) ? Effect.map(result, copy) : result)
