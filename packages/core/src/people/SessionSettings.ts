import * as Context from "effect/Context"
import * as Duration from "effect/Duration"

/** How long sessions last, and how many there are (D-MEM-6). */
export interface SessionSettings {
  /** A session ends when no request uses it for this long. */
  readonly idle: Duration.Duration
  /** A session ends after this time, however it is used. */
  readonly lifetime: Duration.Duration
  /** The maximum number of sessions of a member. A further one ends the oldest. */
  readonly maxOfMember: number
  /** The maximum number of sessions of an account without a member. A further one ends the oldest. */
  readonly maxWithoutMember: number
  /** The maximum number of open links of a member. A further one replaces the oldest. */
  readonly maxLinks: number
}

/** The settings of sessions for which a program provides no others. */
export const defaultSettings: SessionSettings = {
  idle: Duration.hours(12),
  lifetime: Duration.days(7),
  maxOfMember: 10,
  maxWithoutMember: 1_000,
  maxLinks: 5
}

/** The settings in use; {@link defaultSettings} unless a program provides others. */
export const CurrentSessionSettings = Context.Reference<SessionSettings>(
  "@frontdesk/core/people/SessionSettings/CurrentSessionSettings",
  { defaultValue: () => defaultSettings }
)
