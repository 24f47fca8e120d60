import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { CalendarEvent } from "../calendar/CalendarEvent.ts"
import { oneLine } from "../values/Text.ts"

const event = CalendarEvent.fields

/** What a mail, or the invitation in it, shows of a calendar event. */
const shown = {
  title: event.title,
  startTime: event.startTime,
  endTime: event.endTime,
  status: event.status,
  location: event.location,
  videoConferenceUrl: event.videoConferenceUrl,
  videoConferenceProvider: event.videoConferenceProvider,
  description: event.description
}

const ShownValues = Schema.Struct(shown)

/** What a mail shows of a calendar event. */
export type ShownValues = typeof ShownValues.Type

/** The values that a change replaced, of those that a mail shows. */
export const PreviousValues = Schema.Struct(Struct.map(shown, Schema.optionalKey))

/** The values that a change replaced. */
export type PreviousValues = typeof PreviousValues.Type

const names = Struct.keys(shown)

/**
 * Returns the name of the video provider as a mail shows it: "" without a link, because it is the label of the link.
 */
export const shownProvider = ({
  videoConferenceProvider,
  videoConferenceUrl
}: Pick<ShownValues, "videoConferenceProvider" | "videoConferenceUrl">): string =>
  oneLine(videoConferenceUrl) === "" ? "" : oneLine(videoConferenceProvider)

/** A value as the reader of a mail can tell it from another one: times to the minute, texts on one line, none as "". */
const asRead = (value: DateTime.Utc | string | null): string | number =>
  DateTime.isDateTime(value) ? Math.floor(DateTime.toEpochMillis(value) / 60_000) : oneLine(value ?? "")

const isReplaced = (before: DateTime.Utc | string | null | undefined, after: DateTime.Utc | string | null): boolean =>
  before !== undefined && asRead(before) !== asRead(after)

/**
 * Returns those of the previous values that a reader can tell from the calendar event. Of two complete states that is
 * what the change from one to the other replaced; it is empty when no mail shows what has changed.
 *
 * The video provider counts only with a link, and its previous value is "" when there was no link.
 */
export const replaced = (before: PreviousValues, after: ShownValues): PreviousValues => {
  const isProviderKnown = before.videoConferenceProvider !== undefined || before.videoConferenceUrl !== undefined
  const was = isProviderKnown
    ? {
        ...before,
        videoConferenceProvider: shownProvider({
          videoConferenceProvider: before.videoConferenceProvider ?? after.videoConferenceProvider,
          videoConferenceUrl: before.videoConferenceUrl ?? after.videoConferenceUrl
        })
      }
    : before
  const is = { ...after, videoConferenceProvider: shownProvider(after) }
  return Struct.pick(
    was,
    names.filter((name) => isReplaced(was[name], is[name]))
  )
}

/** Whether no value was replaced. */
export const isEmpty = (values: PreviousValues): boolean => Object.keys(values).length === 0
