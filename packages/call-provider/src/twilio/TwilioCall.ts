import type { ProviderReport } from "@frontdesk/core/call/CallProvider"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import { Lenient, amount } from "../request/CallFields.ts"
import { endOf, isTerminal, parseDate, parseSeconds } from "./TwilioEnd.ts"

/** A date of RFC 2822. */
const TwilioDate = Schema.String.check(
  Schema.makeFilter((text: string) => Option.isSome(parseDate(text)), { description: "a date of RFC 2822" })
).pipe(
  Schema.decodeTo(Schema.DateTimeUtc, {
    decode: SchemaGetter.transform((text: string) => Option.getOrThrow(parseDate(text))),
    encode: SchemaGetter.transform((date: DateTime.Utc) => DateTime.toDateUtc(date).toUTCString())
  })
)

/** The fields of a Call resource that are read (twilio.com/docs/voice/api/call-resource). Numbers are strings. */
export const TwilioCall = Schema.Struct({
  sid: Schema.String,
  status: Schema.String,
  to: Lenient(Schema.String),
  direction: Lenient(Schema.String),
  date_created: Lenient(TwilioDate),
  date_updated: Lenient(TwilioDate),
  start_time: Lenient(TwilioDate),
  end_time: Lenient(TwilioDate),
  duration: Lenient(Schema.String),
  price: Lenient(Schema.String),
  answered_by: Lenient(Schema.String)
})

/** The fields of a Call resource that are read. */
export type TwilioCall = typeof TwilioCall.Type

/** The fields of calls in a list that are read. A field that cannot be read is null, and null matches every search. */
export const TwilioCallList = Schema.Struct({
  calls: Schema.Array(
    Schema.Struct({ to: Lenient(Schema.String), direction: Lenient(Schema.String), date_created: Lenient(TwilioDate) })
  ),
  next_page_uri: Lenient(Schema.String)
})

/** The list of an account's recordings (twilio.com/docs/voice/api/recording). */
export const TwilioRecordings = Schema.Struct({
  recordings: Schema.Array(
    Schema.Struct({
      status: Lenient(Schema.String),
      date_created: Lenient(TwilioDate),
      media_url: Lenient(Schema.String),
      uri: Lenient(Schema.String)
    })
  )
})

/** Returns whether a call was answered and has ended, so that it may have a recording. */
export const mayBeRecorded = (call: TwilioCall): boolean =>
  reportsOf(call).some((report) => report._tag === "Ended" && report.answeredAt !== null)

/** Returns the reports about a call so far, as its callbacks make them, and its cost. The recording is not among them. */
export const reportsOf = (call: TwilioCall): ReadonlyArray<ProviderReport> => {
  const { answered_by, price, start_time, status } = call
  if (status === "queued" || status === "initiated") return []
  const ringing = { _tag: "Ringing" } as const
  if (status === "in-progress") {
    return start_time ? [ringing, { _tag: "Answered", at: start_time }] : [ringing]
  }
  // A call that was not answered may have no end time.
  const endedAt = call.end_time ?? call.date_updated
  if (!endedAt || !isTerminal(status)) return [ringing]
  const end = endOf({
    status,
    endedAt,
    durationSeconds: parseSeconds(call.duration),
    answeredBy: answered_by ?? null
  })
  const cost = price && /^-?\d+(\.\d+)?$/.test(price) ? amount(Number(price)) : null
  return [
    ringing,
    ...(end.answeredAt === null ? [] : [{ _tag: "Answered", at: end.answeredAt } as const]),
    { _tag: "Ended", ...end },
    ...(cost === null ? [] : [{ _tag: "Cost", amount: cost } as const])
  ]
}

/**
 * Returns the report of the first completed recording, as its callback makes it. Returns none without such a recording.
 *
 * @param origin the base URL of the API without a slash at its end
 */
export const recordingOf = (
  { recordings }: typeof TwilioRecordings.Type,
  origin: string
): ReadonlyArray<ProviderReport> => {
  const [first] = recordings
    .filter(({ status }) => status === "completed")
    .toSorted((a, b) => (a.date_created?.epochMilliseconds ?? 0) - (b.date_created?.epochMilliseconds ?? 0))
  const url = first?.media_url || (first?.uri ? origin + first.uri.replace(/\.json$/, "") : "")
  return url === "" ? [] : [{ _tag: "Recording", url }]
}
