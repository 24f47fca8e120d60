import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { type PreviousValues, mailFields } from "../calendar-event/MailFields.ts"
import { oneLine } from "../values/Text.ts"

const MailValues = Schema.Struct(mailFields)

/** What a mail shows of a calendar event. */
export type MailValues = typeof MailValues.Type

const names = Struct.keys(mailFields)

/**
 * Returns the name of the video provider as a mail shows it: "" without a link, because it is the label of the link.
 */
export const mailedProvider = ({
  videoConferenceProvider,
  videoConferenceUrl
}: Pick<MailValues, "videoConferenceProvider" | "videoConferenceUrl">): string =>
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
 * Returns the values that the last mail showed and that the calendar event no longer has, without the status. Of a value that
 * was replaced several times it is the one that the mail showed.
 *
 * @param told the values that differed before the change
 */
export const changedSinceMail = (told: PreviousValues, before: MailValues, after: MailValues): PreviousValues =>
  Struct.omit(replaced({ ...Struct.pick(before, names), ...told }, after), ["status"])

/** Whether no value was replaced. */
export const isEmpty = (values: PreviousValues): boolean => Object.keys(values).length === 0
