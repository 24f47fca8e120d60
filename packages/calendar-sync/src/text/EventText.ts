import { hash } from "node:crypto"
import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import * as IcsText from "@frontdesk/core/calendar-event/IcsText"
import * as DateTime from "effect/DateTime"

/** A text that every calendar takes: {@link IcsText.clean} without the code points that stand for no character. */
export const clean = (text: string): string => IcsText.clean(text).replace(/\p{Noncharacter_Code_Point}/gu, "")

/** At most so many UTF-16 code units; what is cut off leaves an ellipsis. */
export const limited = (text: string, maximum: number): string =>
  text.length <= maximum ? text : `${text.slice(0, maximum - 1).replace(/[\uD800-\uDBFF]$/, "")}…`

/** The description of an event, with the way into its video conference. The customer's notes are for the account. */
export const descriptionOf = (event: CalendarEvent): string =>
  [clean(event.description), IcsText.uri(event.videoConferenceUrl)].filter((part) => part !== "").join("\n\n")

/** An instant in UTC to the second, `2026-03-08T13:00:00Z`, as an iCalendar file has it. */
export const instant = (time: DateTime.Utc): string => DateTime.formatIso(time).replace(/\.\d+Z$/, "Z")

/** White space made one: calendars change it as they like. */
export const squeezed = (text: string): string => text.replace(/[\s\p{C}]+/gu, " ").trim()

/** A digest of what is shown; see `RemoteEvent.shown`. */
export const digest = (shown: ReadonlyArray<string | boolean>): string =>
  hash("sha256", JSON.stringify(shown), "base64url")
