/** The unit in which a rule repeats. */
export type Frequency = "YEARLY" | "MONTHLY" | "WEEKLY" | "DAILY" | "HOURLY" | "MINUTELY" | "SECONDLY"

/**
 * A recurrence rule (RFC 5545 3.3.10). What the rule omits is filled in from DTSTART.
 *
 * Times are wall times: the epoch milliseconds at which a clock in UTC shows the same date and time.
 */
export interface Rule {
  readonly frequency: Frequency
  readonly interval: number
  readonly count: number | null
  /** The last wall time that may be an occurrence. */
  readonly until: number | null
  /** The weekday on which a week begins. 0 is Monday. */
  readonly weekStart: number
  readonly byMonth: ReadonlyArray<number>
  readonly byWeekNo: ReadonlyArray<number>
  readonly byYearDay: ReadonlyArray<number>
  readonly byMonthDay: ReadonlyArray<number>
  /** Weekdays. `nth` selects one within the month or year, from the end when negative. Null selects every such weekday. */
  readonly byDay: ReadonlyArray<{ readonly weekday: number; readonly nth: number | null }>
  readonly byHour: ReadonlyArray<number>
  readonly byMinute: ReadonlyArray<number>
  readonly bySecond: ReadonlyArray<number>
  readonly bySetPos: ReadonlyArray<number>
}
