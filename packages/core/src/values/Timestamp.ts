import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

/**
 * An instant as an ISO 8601 string (C-0-3), in UTC with milliseconds: `2026-03-08T13:00:00.000Z` (D-HTTP-14).
 *
 * This is the codec of instants in answers and payloads. Times in requests are parsed by `WallTime`, because they may
 * lack an offset.
 */
export const Timestamp = Schema.String.annotate({ format: "date-time" }).pipe(
  Schema.decodeTo(Schema.DateTimeUtc, SchemaTransformation.dateTimeUtcFromString)
)

/** An instant. */
export type Timestamp = typeof Timestamp.Type

const earliest = -62_167_219_200_000

/** The epoch millisecond of the last {@link Instant}, the end of the year 9999. */
export const latest = 253_402_300_799_999

/** An instant of the years 0000 to 9999 in UTC. Every storage can store it, and every date-time format can write it. */
export const Instant = Schema.DateTimeUtc.check(
  Schema.makeFilter(
    ({ epochMilliseconds: at }: DateTime.Utc) => at >= earliest && at <= latest && Number.isInteger(at),
    {
      description: "an instant of the years 0000 to 9999"
    }
  )
)

/** Returns the milliseconds from one instant to another, or 0 when `to` is earlier because a clock was set back. */
export const millisBetween = (from: DateTime.Utc, to: DateTime.Utc): number =>
  Math.max(0, DateTime.toEpochMillis(to) - DateTime.toEpochMillis(from))

/**
 * Returns the instant a duration after another, rounded up to a whole millisecond. Storages have no smaller unit, and
 * work that waits for the duration must not happen early.
 *
 * The result is never after the year 9999 (D-VAL-9). A setting may be a million years, and neither `DateTime` nor a
 * storage has an instant that late.
 */
export const after = (from: DateTime.Utc, duration: Duration.Duration): DateTime.Utc => moved(from, duration, 1)

/**
 * Returns the instant a duration before another, rounded down to a whole millisecond, and never before the year 0. So a
 * very long retention deletes nothing.
 */
export const before = (from: DateTime.Utc, duration: Duration.Duration): DateTime.Utc => moved(from, duration, -1)

const moved = (from: DateTime.Utc, duration: Duration.Duration, direction: 1 | -1): DateTime.Utc => {
  const at = DateTime.toEpochMillis(from) + direction * Math.ceil(Duration.toMillis(duration))
  return DateTime.makeUnsafe(Math.min(Math.max(at, earliest), latest))
}
