import * as CalendarEventKey from "@frontdesk/core/calendar-event/CalendarEventKey"
import { CalendarDate } from "@frontdesk/core/values/CalendarDate"
import * as DatabaseId from "@frontdesk/core/values/DatabaseId"
import { PageLimit, PageNumber } from "@frontdesk/core/values/Page"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as Text from "@frontdesk/core/values/Text"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

const IdText = Schema.String.check(Schema.isPattern(DatabaseId.form, { description: "a whole number from 1" }))

// The form allows a few numbers above the largest safe integer. No row has such an id, so they all become that integer.
const toId = (text: string): number => Math.min(Number(text), Number.MAX_SAFE_INTEGER)

/** Returns the schema of a database id in a path or query: `^[1-9]\d{0,15}$` (D-HTTP-8). */
export const idText = <S extends Schema.Codec<number, number>>(id: S) =>
  IdText.pipe(Schema.decodeTo(id, SchemaTransformation.transform({ decode: toId, encode: String })))

// A number above the largest safe integer is an id here, though core refuses it. The answer is then 404, as for other ids.
const parseEventKey = (text: string): Option.Option<CalendarEventKey.CalendarEventKey> =>
  CalendarEventKey.parse(DatabaseId.form.test(text) ? String(toId(text)) : text)

/** The key of a calendar event in a path or query: its database id or its UUID (C-4.6-4, D-HTTP-8). */
export const EventKeyText = Schema.String.annotate({ description: "the id or the UUID of a calendar event" })
  .check(
    Schema.makeFilter((text: string) => Option.isSome(parseEventKey(text)), {
      description: "the id or the UUID of a calendar event"
    })
  )
  .pipe(
    Schema.decodeTo(
      CalendarEventKey.CalendarEventKey,
      SchemaTransformation.transform<{ readonly id: number } | { readonly uuid: string }, string>({
        decode: (text) => Option.getOrThrow(parseEventKey(text)),
        encode: (key) => ("id" in key ? String(key.id) : key.uuid)
      })
    )
  )

/** Returns the schema of a UUID in a path, in upper or lower case. */
export const uuidText = <S extends Schema.Codec<string, string>>(uuid: S) =>
  Schema.String.check(Schema.isUUID()).pipe(
    Schema.decodeTo(
      uuid,
      SchemaTransformation.transform({ decode: (text: string) => text.toLowerCase(), encode: (id: string) => id })
    )
  )

/** Returns the schema of a whole number in a query. */
export const intText = <S extends Schema.Codec<number, number>>(int: S) =>
  Schema.String.check(Schema.isPattern(/^-?\d{1,16}$/, { description: "a whole number" })).pipe(
    Schema.decodeTo(int, SchemaTransformation.transform({ decode: Number, encode: String }))
  )

/** A phone number in a query. A leading space is read as `+`, because an unescaped `+` arrives as a space. */
export const PhoneNumberText = Schema.String.pipe(
  Schema.decodeTo(
    PhoneNumber,
    SchemaTransformation.transform({
      decode: (text: string) => text.replace(/^ (?=\d)/, "+"),
      encode: (number: string) => number
    })
  )
)

/** A date in a query or an answer: YYYY-MM-DD. */
export const DateText = CalendarDate.annotate({ format: "date" })

/** A text to search for. It must be a text that can be stored, because some databases cannot search for other texts. */
export const SearchText = Text.searched

/** The parameters that select a page of a list (D-PAGE-1). */
export const pageQuery = {
  page: Schema.optionalKey(intText(PageNumber)),
  limit: Schema.optionalKey(intText(PageLimit))
}

/** The parameters for the first and the last date of a search. Both days belong to it. */
export const dateQuery = {
  startDate: Schema.optionalKey(DateText),
  endDate: Schema.optionalKey(DateText)
}
