import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaGetter from "effect/SchemaGetter"

/** An instant, which a row has as epoch milliseconds. */
export const Time = Schema.DateTimeUtcFromMillis

/** A boolean, which a row has as 1 or 0. */
export const Flag = Schema.BooleanFromBit

const documentKey = "@frontdesk/storage-sql/document"

/** A JSON document, which a row has as text. */
export const json = <S extends Schema.Constraint>(schema: S): Schema.fromJsonString<S> =>
  Schema.fromJsonString(schema).annotate({ [documentKey]: schema.ast })

/** Returns the schema of the document in a column that was declared with {@link json}. */
export const documentOf = (ast: SchemaAST.AST): SchemaAST.AST | undefined => {
  const document = SchemaAST.resolve(ast)?.[documentKey]
  return SchemaAST.isAST(document) ? document : undefined
}

const repeatedKey = "@frontdesk/storage-sql/repeated"

/**
 * A JSON document whose text is the same in many rows, so each text is decoded only once. Rows share the value, which
 * is frozen. Documents that differ from row to row must use {@link json}, because they would only fill the cache.
 */
export const repeated = <S extends Schema.Constraint>(schema: S): Schema.fromJsonString<S> =>
  json(schema).annotate({ [repeatedKey]: true })

/** Returns whether a column was declared with {@link repeated}. */
export const isRepeated = (ast: SchemaAST.AST): boolean => SchemaAST.resolve(ast)?.[repeatedKey] === true

/**
 * A list of names of which this version knows some. It leaves out the others, which a server of a newer version may have stored:
 * otherwise it could not read the row while both versions run.
 */
export const known = <A extends string>(name: Schema.Codec<A, string>) => {
  const isKnown = Schema.is(name)
  return Schema.Array(Schema.String).pipe(
    Schema.decodeTo(Schema.Array(name), {
      decode: SchemaGetter.transform((names: ReadonlyArray<string>) => names.filter(isKnown)),
      encode: SchemaGetter.passthrough()
    })
  )
}

/** A count of rows. */
export const Count = Schema.Struct({ count: Schema.Int })

/** A row of which only its existence matters. */
export const Found = Schema.Struct({})

/** The earliest due time of some rows, or null when there is no row. */
export const Due = Schema.Struct({ dueAt: Schema.NullOr(Time) })

/** The key of a row. */
export const Key = Schema.Struct({ id: Schema.Int })
