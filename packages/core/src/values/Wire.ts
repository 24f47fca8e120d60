import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as Struct from "effect/Struct"
import * as Input from "./Input.ts"

type Snake<S extends string, First extends boolean = true> = S extends `${infer Head}${infer Tail}`
  ? Head extends Lowercase<Head>
    ? `${Head}${Snake<Tail, false>}`
    : `${First extends true ? "" : "_"}${Lowercase<Head>}${Snake<Tail, false>}`
  : S

type SnakeKey<K extends PropertyKey> = K extends string ? Snake<K> : K

/** The fields of a struct under their names in JSON: `startTime` becomes `start_time`. */
export type SnakeFields<Fields> = { readonly [K in keyof Fields as SnakeKey<K & PropertyKey>]: Fields[K] }

/** A struct whose encoded form has snake_case names. */
export type SnakeCase<Fields extends Schema.Struct.Fields> = Schema.decodeTo<
  Schema.toType<Schema.Struct<Fields>>,
  Schema.Struct<SnakeFields<Fields>>
>

/** Returns the name of a field in JSON: `start_time` for `startTime`. */
export const snakeKey = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * Returns a struct whose encoded form has the same keys in snake_case. The values do not change.
 *
 * All names in JSON come from this function. A nested struct is renamed where it is defined. The fields are decoded
 * under their names in JSON, all in one step, so that problems have those names and are reported together. A service
 * does not decode the result again (`Input.decodes`).
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
): SnakeCase<Fields> => {
  const toWire = Object.fromEntries(Object.keys(struct.fields).map((key) => [key, snakeKey(key)]))
  const fromWire = Object.fromEntries(Object.entries(toWire).map(([name, wireName]) => [wireName, name]))
  /* oxlint-disable typescript/no-explicit-any, typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
     -- The computed names exist only as types. The tests check that `SnakeFields` and `snakeKey` agree. */
  const fields = Struct.renameKeys(toWire)(struct.fields) as unknown as SnakeFields<Fields>
  const rename = SchemaTransformation.transform<any, any>({
    decode: Struct.renameKeys(fromWire),
    encode: Struct.renameKeys(toWire)
  })
  /* oxlint-enable typescript/no-explicit-any, typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion */
  return Schema.Struct(fields).pipe(Schema.decodeTo(Schema.toType(struct), rename), Input.decodes(struct))
}
