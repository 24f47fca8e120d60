import * as Predicate from "effect/Predicate"

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>

/** Returns whether a value is a JSON object. */
export const isJson = (value: unknown): value is Json => Predicate.isObject(value) && !Array.isArray(value)

/** Returns the value if it is an object, and an empty one otherwise. */
export const object = (value: unknown): Json => (isJson(value) ? value : {})

/** Returns the value if it is an array, and an empty one otherwise. */
export const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
