import * as Schema from "effect/Schema"

type Snake<S extends string, First extends boolean = true> = S extends `${infer Head}${infer Tail}`
  ? Head extends Lowercase<Head>
    ? `${Head}${Snake<Tail, false>}`
    : `${First extends true ? "" : "_"}${Lowercase<Head>}${Snake<Tail, false>}`
  : S

/** The names a struct has on the wire: `startTime` is `start_time`. */
export type SnakeKeys<Fields> = { readonly [K in keyof Fields]: K extends string ? Snake<K> : K }

const toSnake = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const isSnakeKeys = <Fields extends object>(
  keys: Record<string, string>,
  fields: Fields
): keys is Record<string, string> & SnakeKeys<Fields> => Object.keys(fields).every((key) => keys[key] === toSnake(key))

/**
 * Renames the keys of a struct to snake_case in its encoded form and leaves its values alone.
 *
 * The one place where names of the program become names of the wire. Nested structs are renamed where they are
 * defined.
 *
 * @example
 * ```ts
 * import { Wire } from "@frontdesk/core"
 * import * as Schema from "effect/Schema"
 *
 * const Slot = Wire.snakeCase(Schema.Struct({ durationMinutes: Schema.Int }))
 * Schema.encodeSync(Slot)({ durationMinutes: 30 }) // { duration_minutes: 30 }
 * ```
 */
export const snakeCase = <const Fields extends Schema.Struct.Fields>(
  struct: Schema.Struct<Fields>
): Schema.encodeKeys<Schema.Struct<Fields>, SnakeKeys<Fields>> => {
  const keys = Object.fromEntries(Object.keys(struct.fields).map((key) => [key, toSnake(key)]))
  if (!isSnakeKeys(keys, struct.fields)) throw new TypeError("a struct with symbol keys has no wire form")
  return Schema.encodeKeys<Schema.Struct<Fields>, SnakeKeys<Fields>>(keys)(struct)
}
