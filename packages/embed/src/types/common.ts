/** An object of `Temporal`, such as `Temporal.Instant` or `Temporal.ZonedDateTime`. */
export interface TemporalLike {
  readonly [Symbol.toStringTag]: `Temporal.${string}`
  readonly toString: () => string
}

/**
 * A time: ISO 8601 text, a `Date`, or an object of `Temporal`. Text without an offset, and a `Temporal.PlainDateTime`, are
 * in the time zone of the account where a field allows it.
 */
export type Time = string | Date | TemporalLike

/** A local date: `YYYY-MM-DD`, or a `Temporal.PlainDate`. */
export type LocalDate = string | TemporalLike

/** Any JSON value. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json
}

/** The last argument of every method. */
export interface CallOptions {
  /** Stops the call: the promise rejects with the reason of the signal, and an unfinished change is undone. */
  readonly signal?: AbortSignal | undefined
}

/** The page of a list. */
export interface PageQuery {
  /** The number of the page, from 1. Default: 1. */
  readonly page?: number | undefined
  /** The number of rows on a page, 1 to 100. A larger number counts as 100. Default: 20. */
  readonly limit?: number | undefined
}

/** One page of a list. */
export interface Page<A> {
  readonly items: ReadonlyArray<A>
  /** The number of rows in the whole list, or the maximum length of the list if `isCapped`. */
  readonly count: number
  /** Whether rows are missing behind the maximum length of the list. Absent in a list that has all rows. */
  readonly isCapped?: boolean | undefined
  readonly page: number
  readonly limit: number
  /** The ids of the rows whose large fields were left out. Absent in a list whose rows have no large fields. */
  readonly truncated?: ReadonlyArray<number> | undefined
}

/**
 * A list. `await` gives its requested page. `for await` gives all rows from that page on, with their large fields. The
 * pages are read one after another, so rows that are added or deleted meanwhile may be given twice or not at all.
 *
 * Nothing is read before the one or the other.
 */
export interface List<A> extends Promise<Page<A>>, AsyncIterable<A> {}

/** A permission of an API key, or of a caller. */
export type Permission =
  | "can_read_agents"
  | "can_read_calls"
  | "can_write_calls"
  | "can_read_contacts"
  | "can_write_contacts"
  | "can_read_calendar"
  | "can_write_calendar"
  | "can_read_webhooks"
  | "can_write_webhooks"
  | "can_write_agents"
  | "can_manage_keys"
  | "can_read_account"
  | "can_manage_account"
  | "can_manage_people"
  | "can_read_audit"

/** A team as other resources show it. */
export interface TeamRef {
  readonly id: number
  readonly name: string
}

/** An agent as other resources show it. */
export interface AgentRef {
  readonly id: number
  readonly name: string
  readonly assistantId: string
}

/** The provider of an external calendar. */
export type CalendarProvider = "google" | "outlook" | "apple"
