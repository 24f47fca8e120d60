import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

/** An instant: epoch milliseconds in a row. */
export const Time = Schema.DateTimeUtcFromMillis

/** A yes or no: 1 or 0 in a row. */
export const Flag = Schema.BooleanFromBit

/** A document: JSON text in a row. */
export const json = Schema.fromJsonString

const repeatedKey = "@frontdesk/storage-sql/repeated"

/**
 * A document whose text is the same in row after row, so that it is decoded once for each text. Rows share the value,
 * which is frozen. Not for documents that are each their own, which would only push others out.
 */
export const repeated = <S extends Schema.Constraint>(schema: S): Schema.fromJsonString<S> =>
  json(schema).annotate({ [repeatedKey]: true })

/** Whether a column was declared with `repeated`. */
export const isRepeated = (ast: SchemaAST.AST): boolean => SchemaAST.resolve(ast)?.[repeatedKey] === true

/** A count of rows. */
export const Count = Schema.Struct({ count: Schema.Int })

/** A row of which only the existence matters. */
export const Found = Schema.Struct({})

/** When the first of some rows is due; null when there is none. */
export const Due = Schema.Struct({ dueAt: Schema.NullOr(Time) })

/** The number under which a row was kept. */
export const Key = Schema.Struct({ id: Schema.Int })
