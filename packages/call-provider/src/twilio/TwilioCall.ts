import type { ProviderReport } from "@frontdesk/core/call/CallProvider"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import { Absent, amount } from "../request/CallFields.ts"
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

/** What is read of a Call resource (twilio.com/docs/voice/api/call-resource). Numbers are texts. */
export const TwilioCall = Schema.Struct({
  sid: Schema.String,
  status: Schema.String,
  to: Absent(Schema.String),
  direction: Absent(Schema.String),
  date_created: Absent(TwilioDate),
  date_updated: Absent(TwilioDate),
  start_time: Absent(TwilioDate),
  end_time: Absent(TwilioDate),
  duration: Absent(Schema.String),
  price: Absent(Schema.String),
  answered_by: Absent(Schema.String)
})

/** What is read of a Call resource. */
export type TwilioCall = typeof TwilioCall.Type

/** What is read of a call in a list, each by itself: one that is not as documented may be any. */
export const TwilioCallList = Schema.Struct({
  calls: Schema.Array(
    Schema.Struct({ to: Absent(Schema.String), direction: Absent(Schema.String), date_created: Absent(TwilioDate) })
  ),
  next_page_uri: Absent(Schema.String)
})

/** The answer to a list of an account's recordings (twilio.com/docs/voice/api/recording). */
export const TwilioRecordings = Schema.Struct({
  recordings: Schema.Array(
    Schema.Struct({
      status: Absent(Schema.String),
      date_created: Absent(TwilioDate),
      media_url: Absent(Schema.String),
      uri: Absent(Schema.String)
    })
  )
})

/** Whether a call was answered and is over: there may be recordings. */
export const mayBeRecorded = (call: TwilioCall): boolean =>
  reportsOf(call).some((report) => report._tag === "Ended" && report.answeredAt !== null)

/** What could have been reported of a call by now, but for its recording. */
export const reportsOf = (call: TwilioCall): ReadonlyArray<ProviderReport> => {
  const { answered_by, price, start_time, status } = call
  if (status === "queued" || status === "initiated") return []
  const ringing = { _tag: "Ringing" } as const
  if (status === "in-progress") {
    return start_time ? [ringing, { _tag: "Answered", at: start_time }] : [ringing]
  }
  // A call that was never answered may end without an end time.
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
 * The first recording that is whole, as its callback reports it.
 *
 * @param origin where the API is, without a slash at its end
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
