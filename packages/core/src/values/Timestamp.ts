import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

/**
 * An instant; written in UTC with milliseconds, `2026-03-08T13:00:00.000Z` (D-HTTP-14).
 *
 * This is the codec of instants in answers and payloads. What callers send goes through `WallTime`, because it may
 * lack an offset.
 */
export const Timestamp = Schema.String.annotate({ format: "date-time" }).pipe(
  Schema.decodeTo(Schema.DateTimeUtc, SchemaTransformation.dateTimeUtcFromString)
)

/** An instant. */
export type Timestamp = typeof Timestamp.Type

const [earliest, latest] = [-62_167_219_200_000, 253_402_300_799_999]

/** An instant of the years 0000 to 9999 in UTC, which every storage keeps and every date-time text can name. */
export const Instant = Schema.DateTimeUtc.check(
  Schema.makeFilter(
    ({ epochMilliseconds: at }: DateTime.Utc) => at >= earliest && at <= latest && Number.isInteger(at),
    {
      description: "an instant of the years 0000 to 9999"
    }
  )
)

/** How many milliseconds passed from one instant to another; 0 when the clock was set back between them. */
export const millisBetween = (from: DateTime.Utc, to: DateTime.Utc): number =>
  Math.max(0, DateTime.toEpochMillis(to) - DateTime.toEpochMillis(from))

/**
 * Returns the instant that lies a duration after another, rounded up to a whole millisecond: storages keep no smaller
 * part, and nothing that waits for the duration may happen early. It is never after the year 9999, however long the
 * duration is: a setting may be a million years, and a later instant is none that `DateTime` and storages have.
 */
export const after = (from: DateTime.Utc, duration: Duration.Duration): DateTime.Utc => moved(from, duration, 1)

/**
 * Returns the instant that lies a duration before another, rounded down to a whole millisecond, and never before the year
 * 0: so a very long retention keeps everything.
 */
export const before = (from: DateTime.Utc, duration: Duration.Duration): DateTime.Utc => moved(from, duration, -1)

const moved = (from: DateTime.Utc, duration: Duration.Duration, direction: 1 | -1): DateTime.Utc => {
  const at = DateTime.toEpochMillis(from) + direction * Math.ceil(Duration.toMillis(duration))
  return DateTime.makeUnsafe(Math.min(Math.max(at, earliest), latest))
}
