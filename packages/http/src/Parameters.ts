import { CalendarEventUuid } from "@frontdesk/core/calendar-event/CalendarEvent"
import * as CalendarEventKey from "@frontdesk/core/calendar-event/CalendarEventKey"
import { CalendarDate } from "@frontdesk/core/values/CalendarDate"
import * as Input from "@frontdesk/core/values/Input"
import * as DatabaseId from "@frontdesk/core/values/DatabaseId"
import { PageLimit, PageNumber, PageQuery } from "@frontdesk/core/values/Page"
import * as PhoneNumber from "@frontdesk/core/values/PhoneNumber"
import * as Text from "@frontdesk/core/values/Text"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaTransformation from "effect/SchemaTransformation"

const parserKey = "@frontdesk/http/Parameters/parser"

/** Parses a text, or returns undefined for one that is not valid. */
type Parser = (text: string) => unknown

/**
 * Adds to a schema of a text a function with the same result for every valid text, several times faster. The schema is
 * then used only to explain why a text is not valid.
 */
const parsedBy = <S extends Schema.Top>(schema: S, parse: (text: string) => S["Type"] | undefined): S["Rebuild"] =>
  schema.annotate({ [parserKey]: parse })

const isParser = (value: unknown): value is Parser => typeof value === "function"

/**
 * Returns a function that parses the values of a struct whose fields all have a parser. It returns undefined when a
 * value is absent or not valid. Returns undefined for any other schema.
 */
export const structParser = (
  schema: Schema.Top
): ((values: Readonly<Record<string, string | undefined>>) => object | undefined) | undefined => {
  const own = SchemaAST.toType(schema.ast)
  const wire = schema.ast.encoding?.length === 1 ? schema.ast.encoding[0].to : schema.ast
  if (!SchemaAST.isObjects(own) || !SchemaAST.isObjects(wire) || own.indexSignatures.length > 0) return undefined
  const fields: Array<{ readonly name: string; readonly wireName: string; readonly parse: Parser }> = []
  for (const [index, { name, type }] of wire.propertySignatures.entries()) {
    const parse = SchemaAST.resolve(type)?.[parserKey]
    const ownName = own.propertySignatures[index]?.name
    if (!isParser(parse) || typeof name !== "string" || typeof ownName !== "string" || SchemaAST.isOptional(type))
      return undefined
    fields.push({ name: ownName, wireName: name, parse })
  }
  return (values) => {
    const parsed: Record<string, unknown> = {}
    for (const { name, parse, wireName } of fields) {
      const text = values[wireName]
      const value = text === undefined ? undefined : parse(text)
      if (value === undefined) return undefined
      parsed[name] = value
    }
    return parsed
  }
}

const IdText = Schema.String.check(Schema.isPattern(DatabaseId.form, { description: DatabaseId.description }))

/**
 * Returns the database id that a text of the form `DatabaseId.form` shows. The form allows a few numbers above the largest safe
 * integer. No row has such an id, so they all become that integer.
 */
export const toId = (text: string): number => Math.min(Number(text), Number.MAX_SAFE_INTEGER)

/** Returns the schema of a database id in a path or query: `^[1-9]\d{0,15}$` (D-HTTP-8). */
export const idText = <S extends Schema.Codec<number, number>>(id: S) => {
  const isId = Schema.is(id)
  return parsedBy(
    IdText.pipe(Schema.decodeTo(id, SchemaTransformation.transform({ decode: toId, encode: String }))),
    (text) => {
      const parsed: unknown = DatabaseId.form.test(text) ? toId(text) : undefined
      return isId(parsed) ? parsed : undefined
    }
  )
}

// A number above the largest safe integer is an id here, though core refuses it. The answer is then 404, as for other ids.
const parseEventKey = (text: string): Option.Option<CalendarEventKey.CalendarEventKey> =>
  CalendarEventKey.parse(DatabaseId.form.test(text) ? String(toId(text)) : text)

const eventKeyDescription = "the id or the UUID of a calendar event"

const uuidPattern = (): string => String(Schema.toJsonSchemaDocument(CalendarEventUuid).schema["pattern"])

/** The key of a calendar event in a path or query: its database id or its UUID (C-4.6-4, D-HTTP-8). */
export const EventKeyText = parsedBy(
  Schema.String.annotate({ description: eventKeyDescription })
    .check(
      Schema.makeFilter((text: string) => Option.isSome(parseEventKey(text)), {
        description: eventKeyDescription,
        toJsonSchema: () => ({ pattern: `${DatabaseId.form.source}|${uuidPattern()}` })
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
    ),
  (text) =>
    Option.getOrUndefined(
      Option.map(parseEventKey(text), (key) => Input.remember(CalendarEventKey.CalendarEventKey, key))
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

/** A truth value in a query: `true` or `false`. */
export const BooleanText = Schema.Literals(["true", "false"]).pipe(
  Schema.decodeTo(
    Schema.Boolean,
    SchemaTransformation.transform({
      decode: (text: "true" | "false") => text === "true",
      encode: (value): "true" | "false" => (value ? "true" : "false")
    })
  )
)

/** A phone number in a query. A leading space is read as `+`, because an unescaped `+` arrives as a space. */
export const PhoneNumberText = Schema.String.check(
  Schema.isPattern(new RegExp(`^[+ ]${PhoneNumber.digits}$`, "u"), { description: PhoneNumber.description })
).pipe(
  Schema.decodeTo(
    PhoneNumber.PhoneNumber,
    SchemaTransformation.transform({
      decode: (text: string) => text.replace(" ", "+"),
      encode: (number: string) => number
    })
  )
)

/** A text to search for. It must be a text that can be stored, because some databases cannot search for other texts. */
export const SearchText = Text.searched

/** The parameters that select a page of a list (D-PAGE-1). */
export const pageQuery = {
  page: Schema.optionalKey(intText(PageNumber)),
  limit: Schema.optionalKey(intText(PageLimit))
}

/** The query of a list that has no filter. */
export const onlyPageQuery = Schema.Struct(pageQuery).pipe(Input.decodes(PageQuery))

/** The parameters for the first and the last date of a search. Both days belong to it. */
export const dateQuery = {
  startDate: Schema.optionalKey(CalendarDate),
  endDate: Schema.optionalKey(CalendarDate)
}
