import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

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

/** A count of rows. */
export const Count = Schema.Struct({ count: Schema.Int })

/** A row of which only its existence matters. */
export const Found = Schema.Struct({})

/** The earliest due time of some rows, or null when there is no row. */
export const Due = Schema.Struct({ dueAt: Schema.NullOr(Time) })

/** The key of a row. */
export const Key = Schema.Struct({ id: Schema.Int })
