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

/** The fields of a struct under the names they have on the wire: `startTime` is `start_time`. */
export type SnakeFields<Fields> = { readonly [K in keyof Fields as SnakeKey<K & PropertyKey>]: Fields[K] }

/** A struct whose encoded form has snake_case names. */
export type SnakeCase<Fields extends Schema.Struct.Fields> = Schema.decodeTo<
  Schema.toType<Schema.Struct<Fields>>,
  Schema.Struct<SnakeFields<Fields>>
>

/** `startTime` as it is called on the wire: `start_time`. */
export const snakeKey = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * Renames the keys of a struct to snake_case in its encoded form and leaves its values alone.
 *
 * The one place where names of the program become names of the wire. Nested structs are renamed where they are
 * defined. Fields are decoded under their names of the wire, all in one step, so that problems carry those names and
 * none hides another. Services take what it decodes as decoded by the struct itself.
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
     -- The computed names exist in the types alone; the tests hold `SnakeFields` and `snakeKey` together. */
  const fields = Struct.renameKeys(toWire)(struct.fields) as unknown as SnakeFields<Fields>
  const rename = SchemaTransformation.transform<any, any>({
    decode: Struct.renameKeys(fromWire),
    encode: Struct.renameKeys(toWire)
  })
  /* oxlint-enable typescript/no-explicit-any, typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion */
  return Schema.Struct(fields).pipe(Schema.decodeTo(Schema.toType(struct), rename), Input.decodes(struct))
}
