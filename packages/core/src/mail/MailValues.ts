import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { type PreviousValues, mailFields } from "../calendar-event/MailFields.ts"
import { oneLine } from "../values/Text.ts"

const MailValues = Schema.Struct(mailFields)

/** The values of a calendar event that a mail shows. */
export type MailValues = typeof MailValues.Type

const names = Struct.keys(mailFields)

/**
 * Returns the name of the video provider as a mail shows it. It is empty without a link, because it is the label of the
 * link.
 */
export const mailedProvider = ({
  videoConferenceProvider,
  videoConferenceUrl
}: Pick<MailValues, "videoConferenceProvider" | "videoConferenceUrl">): string =>
  oneLine(videoConferenceUrl) === "" ? "" : oneLine(videoConferenceProvider)

/** Returns a value as a mail shows it, for comparing: a time in whole minutes, a text on one line, and "" for none. */
const asRead = (value: DateTime.Utc | string | null): string | number =>
  DateTime.isDateTime(value) ? Math.floor(DateTime.toEpochMillis(value) / 60_000) : oneLine(value ?? "")

const isReplaced = (before: DateTime.Utc | string | null | undefined, after: DateTime.Utc | string | null): boolean =>
  before !== undefined && asRead(before) !== asRead(after)

/**
 * Returns those of the previous values that differ, as a mail shows them, from the calendar event's values (D-NOTIFY-4).
 * The result is empty when no mail would show a difference.
 *
 * The video provider counts only when there is a link. Its previous value is "" when there was no link before.
 */
export const replaced = (before: PreviousValues, after: MailValues): PreviousValues => {
  const isProviderKnown = before.videoConferenceProvider !== undefined || before.videoConferenceUrl !== undefined
  const was = isProviderKnown
    ? {
        ...before,
        videoConferenceProvider: mailedProvider({
          videoConferenceProvider: before.videoConferenceProvider ?? after.videoConferenceProvider,
          videoConferenceUrl: before.videoConferenceUrl ?? after.videoConferenceUrl
        })
      }
    : before
  const is = { ...after, videoConferenceProvider: mailedProvider(after) }
  return Struct.pick(
    was,
    names.filter((name) => isReplaced(was[name], is[name]))
  )
}

/**
 * Returns the values that the last mail showed and that the calendar event no longer has, without the status. When a value
 * was replaced several times, the result has the one that the mail showed.
 *
 * @param told what this function returned for the earlier changes: values that the last mail showed and that `before` does
 *   not have
 */
export const changedSinceMail = (told: PreviousValues, before: MailValues, after: MailValues): PreviousValues =>
  Struct.omit(replaced({ ...Struct.pick(before, names), ...told }, after), ["status"])

/** Returns whether no value was replaced. */
export const isEmpty = (values: PreviousValues): boolean => Object.keys(values).length === 0
