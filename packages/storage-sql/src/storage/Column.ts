import * as Schema from "effect/Schema"

/** An instant: epoch milliseconds in a row. */
export const Time = Schema.DateTimeUtcFromMillis

/** A yes or no: 1 or 0 in a row. */
export const Flag = Schema.BooleanFromBit

/** A document: JSON text in a row. */
export const json = Schema.fromJsonString

/** A count of rows. */
export const Count = Schema.Struct({ count: Schema.Int })

/** A row of which only the existence matters. */
export const Found = Schema.Struct({})

/** The number under which a row was kept. */
export const Key = Schema.Struct({ id: Schema.Int })
