import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

/**
 * An instant; written in UTC with milliseconds, `2026-03-08T13:00:00.000Z` (Decisions 2, "Times").
 *
 * This is the codec of instants in answers and payloads. What callers send goes through `WallTime`, because it may
 * lack an offset.
 */
export const Timestamp = Schema.String.annotate({ format: "date-time" }).pipe(
  Schema.decodeTo(Schema.DateTimeUtc, SchemaTransformation.dateTimeUtcFromString)
)

/** An instant. */
export type Timestamp = typeof Timestamp.Type

/** How many milliseconds passed from one instant to another; 0 when the clock was set back between them. */
export const millisBetween = (from: DateTime.Utc, to: DateTime.Utc): number =>
  Math.max(0, DateTime.toEpochMillis(to) - DateTime.toEpochMillis(from))
