import { hash } from "node:crypto"
import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import * as IcsText from "@frontdesk/core/calendar-event/IcsText"
import * as DateTime from "effect/DateTime"

/** Returns a text that every calendar accepts: the result of {@link IcsText.clean} without noncharacter code points. */
export const clean = (text: string): string => IcsText.clean(text).replace(/\p{Noncharacter_Code_Point}/gu, "")

/** Returns a text of at most `maxLength` UTF-16 code units. A shortened text ends in an ellipsis. */
export const truncate = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, "")}…`

/**
 * Returns the description of a calendar event, followed by the link to its video conference. It omits the customer's notes,
 * which are for the account.
 */
export const descriptionOf = (event: CalendarEvent): string =>
  [clean(event.description), IcsText.uri(event.videoConferenceUrl)].filter((part) => part !== "").join("\n\n")

/** Returns an instant in UTC without fractions of a second, such as `2026-03-08T13:00:00Z`. */
export const instant = (time: DateTime.Utc): string => DateTime.formatIso(time).replace(/\.\d+Z$/, "Z")

/**
 * Returns a text with each run of white space and invisible characters as one space, and none at its ends. Calendars change
 * such characters, so comparisons ignore them.
 */
export const collapseSpace = (text: string): string => text.replace(/[\s\p{C}]+/gu, " ").trim()

/** Returns a SHA-256 digest of values, in base64url. */
export const digest = (values: ReadonlyArray<string | boolean>): string =>
  hash("sha256", JSON.stringify(values), "base64url")
