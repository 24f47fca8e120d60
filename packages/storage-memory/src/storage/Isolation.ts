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
 * Returns the layer with services that share no objects with their callers (D-STO-5). Arguments and results are copied,
 * so a caller that mutates one of them changes nothing that is stored, as with a database.
 */
export const isolated = <Services, E, R>(layer: Layer.Layer<Services, E, R>): Layer.Layer<Services, E, R> =>
  Layer.flatMap(layer, (services) =>
    Layer.succeedContext(
      Context.makeUnsafe<Services>(
        new Map([...services.mapUnsafe].map(([key, service]: [string, unknown]) => [key, isolate(service)]))
      )
    )
  )

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Isolates a store, which is a plain object. Other services of the context are returned unchanged. */
const isolate = (service: unknown): unknown => {
  if (typeof service !== "object" || service === null || !isPlain(service)) return service
  const members: ReadonlyArray<readonly [string, unknown]> = Object.entries(service)
  return Object.fromEntries(
    members.map(([name, member]) => [
      name,
      typeof member === "function"
        ? (...parameters: ReadonlyArray<unknown>): unknown =>
            copied(Reflect.apply(member, undefined, parameters.map(copy)))
        : copied(member)
    ])
  )
}

const copied = (result: unknown): unknown => (Effect.isEffect(result) ? Effect.map(result, copy) : result)
