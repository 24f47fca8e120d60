import * as fc from "fast-check"
import type { Description, JsonSchema } from "./Description.ts"

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
const mostly = <A>(usual: fc.Arbitrary<A>, other: fc.Arbitrary<A>): fc.Arbitrary<A> =>
  fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: other })

/** Generators for fields whose schema allows many values that the API does not accept. */
const byName: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  phone_number: phoneNumber,
  agent_id: mostly(fc.constantFrom<unknown>(1, 2, "asst_0", "asst_1"), id),
  ai_agent_id: mostly(fc.constantFrom(1, 2), id),
  contact_id: id,
  team_id: mostly(fc.constant(1), fc.constantFrom(2, 3)),
  id,
  email: fc.constantFrom("jo@example.com", "JO@example.com", "ann.li+x@mail.example.org"),
  customer_email: fc.constantFrom("jo@example.com", "JO@example.com", "", "ann.li+x@mail.example.org"),
  website: fc.constantFrom("https://example.com", "http://example.com:8080/a?b=c"),
  video_conference_url: fc.constantFrom("", "https://meet.example.com/a"),
  url: fc.constantFrom("https://example.com/hook", "https://hooks.example.org/a?b=c", "http://127.0.0.1:9/closed"),
  time_zone: fc.constantFrom("UTC", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"),
  name: fc.constantFrom("a", "plan", "seats", "renewal_date", "company_name", "is_vip", "color"),
  start_date: mostly(early, date),
  end_date: mostly(late, date),
  start_time: mostly(timeOn(early), time),
  end_time: mostly(timeOn(late), time),
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

/** Returns generators of values that the schema of a field allows. The API accepts most of them. */
export const make = (description: Description) => {
  const text = (schema: JsonSchema): fc.Arbitrary<string> => {
    if (schema["format"] === "date") return date
    if (schema["format"] === "date-time") return time
    const pattern = schema["pattern"]
    if (typeof pattern === "string") return fc.stringMatching(new RegExp(pattern), { maxLength: 40 })
    const minLength = number(schema["minLength"], 0)
    const maxLength = Math.max(minLength, Math.min(number(schema["maxLength"], maxText), maxText))
    return fc.string({ unit: "grapheme", minLength, maxLength })
  }

  const object = (schema: JsonSchema): fc.Arbitrary<unknown> => {
    const properties = isSchema(schema["properties"]) ? Object.entries(schema["properties"]) : []
    if (properties.length === 0)
      return fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 4 })
    const required = new Set(strings(schema["required"]))
    const entries = properties.flatMap(([key, property]) => {
      if (!isSchema(property)) return []
      const entry = field(key, property).map((value) => [[key, value]] as const)
      return [required.has(key) ? entry : fc.oneof(entry, fc.constant([]))]
    })
    return fc.tuple(...entries).map((entries) => Object.fromEntries(entries.flat()))
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
        return fc.integer({ min: number(schema["minimum"], 1), max: Math.min(number(schema["maximum"], 1_000), 1e9) })
      case "number":
        return fc.double({ min: number(schema["minimum"], -1e6), max: number(schema["maximum"], 1e6), noNaN: true })
      case "boolean":
        return fc.boolean()
      case "null":
        return fc.constant(null)
      case "array":
        return fc.array(isSchema(schema["items"]) ? fitting(schema["items"]) : fc.jsonValue({ maxDepth: 1 }), {
          minLength: Math.min(number(schema["minItems"], 0), maxItems),
          maxLength: maxItems
        })
      case "object":
        return object(schema)
      default:
        return fc.jsonValue({ maxDepth: 2 })
    }
  }

  /** Generates a value of a field, by its name or else by its schema. */
  const field = (name: string, schema: JsonSchema): fc.Arbitrary<unknown> => byName[name] ?? fitting(schema)

  return { fitting, field }
}
