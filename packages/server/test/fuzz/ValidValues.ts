import * as fc from "fast-check"
import type { Description, JsonSchema } from "./Description.ts"
import * as HostileValues from "./HostileValues.ts"

/** Generates an id. Ids are assigned in sequence, so small ones are likely to exist. */
const id = fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 30 }) }, { weight: 1, arbitrary: fc.nat(1e6) })

const phoneNumber = fc.oneof(
  fc.constantFrom("+12025550111", "+12025550112", "+12025550001", "+12025550002", "+12025550003", "+12025550004"),
  fc.integer({ min: 1_000_000, max: 9_999_999 }).map((number) => `+1202${number}`)
)

const dateBetween = (first: string, last: string): fc.Arbitrary<string> =>
  fc
    .date({ min: new Date(first), max: new Date(last), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10))

const timeOn = (date: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(date, fc.nat(23), fc.constantFrom("00", "15", "30"), fc.constantFrom("", "Z", "+02:00", "-05:00"))
    .map(([date, hour, minute, zone]) => `${date}T${String(hour).padStart(2, "0")}:${minute}:00${zone}`)

const date = dateBetween("2026-10-01", "2027-04-01")
const time = timeOn(date)

/** Most starts are in the early half and most ends in the late half, so that most ranges are in order. */
const [early, late] = [dateBetween("2026-10-01", "2026-12-28"), dateBetween("2026-12-30", "2027-01-31")]
const rarely = <A>(rare: fc.Arbitrary<A>, usual: fc.Arbitrary<A>): fc.Arbitrary<A> =>
  fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: rare })

/** Generators for fields whose schema allows many values that the API does not accept. */
const byName: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  phone_number: phoneNumber,
  agent_id: rarely(id, fc.constantFrom<unknown>(1, 2, "asst_0", "asst_1")),
  ai_agent_id: rarely(id, fc.constantFrom(1, 2)),
  contact_id: id,
  team_id: rarely(fc.constantFrom(2, 3), fc.constant(1)),
  id,
  email: fc.constantFrom("jo@example.com", "JO@example.com", "ann.li+x@mail.example.org"),
  customer_email: fc.constantFrom("jo@example.com", "JO@example.com", "", "ann.li+x@mail.example.org"),
  website: fc.constantFrom("https://example.com", "http://example.com:8080/a?b=c"),
  video_conference_url: fc.constantFrom("", "https://meet.example.com/a"),
  url: fc.constantFrom("https://example.com/hook", "https://hooks.example.org/a?b=c", "http://127.0.0.1:9/closed"),
  time_zone: fc.constantFrom("UTC", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"),
  name: fc.constantFrom("a", "plan", "seats", "renewal_date", "company_name", "is_vip", "color"),
  start_date: rarely(date, early),
  end_date: rarely(date, late),
  start_time: rarely(time, timeOn(early)),
  end_time: rarely(time, timeOn(late)),
  duration: fc.constantFrom(1, 15, 30, 60, 180),
  limit: fc.constantFrom(1, 2, 20, 100, 1_000),
  page: fc.integer({ min: 1, max: 4 }),
  variables: fc.dictionary(
    fc.constantFrom("plan", "seats", "renewal_date", "is_vip", "color", "first_name"),
    fc.oneof(
      fc.string({ maxLength: 10 }),
      fc.integer(),
      fc.boolean(),
      date,
      fc.constant("{{first_name}}"),
      fc.constant(null)
    ),
    { maxKeys: 4 }
  )
}

const list = (value: unknown): ReadonlyArray<JsonSchema> => values(value).filter(isSchema)

const isSchema = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null

const number = (value: unknown, orElse: number): number => (typeof value === "number" ? value : orElse)

const values = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const strings = (value: unknown): ReadonlyArray<string> => values(value).filter((item) => typeof item === "string")

/** Longer texts and lists are left to {@link HostileValues}. */
const [maxText, maxItems] = [30, 4]

/** The pattern of a text that may have any character but one. */
const anyText = String.raw`^[^\x00]*$`

/** Returns a pattern that matches some of the texts of a pattern, without the classes that fast-check does not know. */
const generated = (pattern: string): string =>
  pattern
    .replaceAll(String.raw`\p{L}`, "a-zü")
    .replaceAll(String.raw`\p{N}`, "0-9")
    .replaceAll(String.raw`\p{C}`, "")

/**
 * Returns generators of values that the schema of a field allows, and of a few that are one beyond a limit. The API accepts
 * most of them.
 */
export const make = (description: Description) => {
  const text = (schema: JsonSchema): fc.Arbitrary<string> => {
    if (schema["format"] === "date") return date
    if (schema["format"] === "date-time") return time
    const [minLength, maxLength] = [number(schema["minLength"], 0), number(schema["maxLength"], Infinity)]
    const source = typeof schema["pattern"] === "string" ? schema["pattern"] : ""
    const pattern = new RegExp(source, "u")
    const isAllowed = (text: string) => {
      const { length } = Array.from(text)
      return pattern.test(text) && length >= minLength && length <= maxLength
    }
    const limits = maxLength === Infinity ? [] : ["x", "é"].map((letter) => letter.repeat(maxLength))
    const odd = [...HostileValues.texts, ...limits].filter(isAllowed)
    const usual =
      source === "" || source === anyText
        ? fc.string({ unit: "grapheme", minLength, maxLength: Math.max(minLength, Math.min(maxLength, maxText)) })
        : fc.stringMatching(new RegExp(generated(source), "u"), { size: "small" })
    return rarely(fc.constantFrom(...odd, ...limits.map((text) => `${text}x`), ""), usual.filter(isAllowed))
  }

  const object = (schema: JsonSchema): fc.Arbitrary<unknown> => {
    const properties = isSchema(schema["properties"]) ? Object.entries(schema["properties"]) : []
    if (properties.length === 0) return dictionary(schema)
    const required = new Set(strings(schema["required"]))
    const entries = properties.flatMap(([key, property]) => {
      // The API accepts no value of a field whose schema is `{ not: {} }`.
      if (!isSchema(property) || isSchema(property["not"])) return []
      const entry = field(key, property).map((value) => [[key, value]] as const)
      return [required.has(key) ? entry : fc.oneof(entry, fc.constant([]))]
    })
    return fc.tuple(...entries).map((entries) => Object.fromEntries(entries.flat()))
  }

  const dictionary = ({ additionalProperties, maxProperties, propertyNames }: JsonSchema): fc.Arbitrary<unknown> => {
    const value = isSchema(additionalProperties) ? fitting(additionalProperties) : fc.jsonValue({ maxDepth: 1 })
    const key = isSchema(propertyNames) ? text(propertyNames) : rarely(HostileValues.text, fc.string({ maxLength: 8 }))
    const many = (size: number) =>
      value.map((value) => Object.fromEntries(Array.from({ length: size }, (_, index) => [`k${index}`, value])))
    const usual = fc.dictionary(key, value, { maxKeys: 4 })
    return typeof maxProperties === "number"
      ? rarely(fc.oneof(many(maxProperties), many(maxProperties + 1)), usual)
      : usual
  }

  const array = (schema: JsonSchema): fc.Arbitrary<unknown> => {
    const { prefixItems } = schema
    if (Array.isArray(prefixItems)) return fc.tuple(...prefixItems.filter(isSchema).map(fitting))
    const item = isSchema(schema["items"]) ? fitting(schema["items"]) : fc.jsonValue({ maxDepth: 1 })
    const usual = fc.array(item, { minLength: number(schema["minItems"], 0), maxLength: maxItems })
    const many = (length: number) => item.map((item) => Array.from({ length }, () => item))
    const max = schema["maxItems"]
    return typeof max === "number" ? rarely(fc.oneof(many(max), many(max + 1), many(0)), usual) : usual
  }

  const integer = (schema: JsonSchema): fc.Arbitrary<number> => {
    const min = number(schema["minimum"], number(schema["exclusiveMinimum"], 0) + 1)
    const max = number(schema["maximum"], Number.MAX_SAFE_INTEGER)
    return rarely(fc.constantFrom(min, max, min - 1, max + 1), fc.integer({ min, max: Math.min(max, 1_000) }))
  }

  const fitting = (given: JsonSchema): fc.Arbitrary<unknown> => {
    const schema = description.resolve(given)
    const inherited = list(schema["allOf"]).find((part) => Array.isArray(part["enum"]))
    const options = values(schema["enum"] ?? inherited?.["enum"])
    if (options.length > 0) return fc.constantFrom(...options)
    if ("const" in schema) return fc.constant(schema["const"])
    const alternatives = [...list(schema["anyOf"]), ...list(schema["oneOf"])]
    if (alternatives.length > 0) return fc.oneof(...alternatives.map(fitting))
    switch (schema["type"]) {
      case "string":
        return text(schema)
      case "integer":
        return integer(schema)
      case "number":
        return fc.double({ min: number(schema["minimum"], -1e6), max: number(schema["maximum"], 1e6), noNaN: true })
      case "boolean":
        return fc.boolean()
      case "null":
        return fc.constant(null)
      case "array":
        return array(schema)
      case "object":
        return object(schema)
      default:
        return fc.jsonValue({ maxDepth: 2 })
    }
  }

  /** Generates a value of a field, usually by its name if that has a generator, and otherwise by its schema. */
  const field = (name: string, schema: JsonSchema): fc.Arbitrary<unknown> => {
    const usual = byName[name]
    return usual === undefined ? fitting(schema) : rarely(fitting(schema), usual)
  }

  return { fitting, field }
}
