import { codePoint } from "@frontdesk/testing/arbitrary/text"
import * as fc from "fast-check"

/** Texts that often break parsers, databases and comparisons. */
export const texts: ReadonlyArray<string> = [
  "",
  " ",
  "\t",
  "\r\n",
  "a\r\nX-Injected: 1",
  "BEGIN:VEVENT\r\nEND:VEVENT",
  "\u0000",
  "a\u0000b",
  "\uD800",
  "\uDC00\uD800",
  "\uFFFE\uFFFF",
  "\u202Etxt.exe",
  "zoe\u0308",
  "zo\u00EB",
  "👩‍👩‍👧‍👦",
  "İstanbul",
  "ß",
  "ﬀ",
  "\u2028\u2029",
  "{{first_name}}",
  "{{{{a}}}}",
  "{{__proto__}}",
  "__proto__",
  "constructor",
  "toString",
  "' OR 1=1 --",
  "%",
  "_%\\",
  "%00",
  "%FF",
  "%zz",
  "../../etc/passwd",
  "null",
  "undefined",
  "NaN",
  "Infinity",
  "-0",
  "1e999",
  "1e-400",
  "12345678901234567890",
  "9007199254740993",
  "0x10",
  "٣",
  "１２",
  "true",
  "2026-02-30",
  "2026-13-01",
  "0000-01-01",
  "9999-12-31",
  "+010000-01-01",
  "2026-03-08T02:30:00",
  "2026-11-01T01:30:00",
  "2026-01-01T00:00:00+25:00",
  "2026-01-01T23:59:60Z",
  "9999-12-31T23:59:59.999Z",
  "0000-01-01T00:00:00Z",
  "Europe/Kyiv",
  "Etc/GMT+12",
  "Mars/Olympus",
  "+12025550100",
  "+0",
  "a@b",
  "jo@münchen.de",
  "https://bücher.example/ä?b=c",
  "HTTPS://EXAMPLE.COM:8443",
  '"a b"@example.com',
  "https://127.0.0.1/",
  "https://[::ffff:7f00:1]/",
  "https://0x7f000001/",
  "https://user:secret@example.com/",
  "javascript:alert(1)",
  "x".repeat(256),
  "é".repeat(2_049),
  "😀".repeat(5_001),
  "a".repeat(70_000)
]

const numbers = [
  0,
  -0,
  -1,
  1,
  0.1,
  1.5,
  59,
  60,
  180,
  181,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  Number.MAX_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER + 1,
  -Number.MAX_SAFE_INTEGER,
  1e21,
  1e308,
  5e-324
]

const nested = (depth: number): unknown => {
  let value: unknown = "deep"
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

const structures: ReadonlyArray<unknown> = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  { a: null },
  JSON.parse('{"__proto__":{"a":1},"constructor":1}'),
  nested(60),
  nested(120),
  nested(200),
  Array.from({ length: 101 }, (_, index) => index),
  Array.from({ length: 2_000 }, () => ({})),
  Array.from({ length: 600 }, (_, index) => `+1202555${String(index).padStart(4, "0")}`),
  Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`k${index}`, index]))
]

/** Generates a text that is likely to reveal a defect. */
export const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...texts) },
  { weight: 1, arbitrary: fc.string({ unit: codePoint, maxLength: 40 }) }
)

/** Generates a JSON value that is likely to reveal a defect. */
const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 2, arbitrary: fc.constantFrom(...numbers) },
  { weight: 2, arbitrary: fc.constantFrom(...structures) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) }
)

/** Generates the bytes of a body that is not the expected JSON object. */
export const body: fc.Arbitrary<Buffer> = fc.oneof(
  fc
    .constantFrom(
      "",
      " ",
      "{",
      "[]",
      "null",
      '"text"',
      "1",
      "\uFEFF{}",
      "{}{}",
      "{'a':1}",
      '{"a":1,}',
      '{"a":1,"a":2}',
      '{"title":"\\ud800"}',
      '{"a":1e999999}',
      "[".repeat(100_000),
      '{"a":'.repeat(5_000),
      `{"custom_context":{"a":"${"x".repeat(1_000_000)}"}}`,
      " ".repeat(1_048_577)
    )
    .map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
  fc.constant(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))
)

/** A change of a JSON value at one position in it. */
export interface Mutation {
  readonly kind: "replace" | "remove" | "add" | "wrap" | "repeat"
  /** The index of the position, modulo the number of positions. */
  readonly at: number
  readonly key: string
  readonly value: unknown
}

/** Generates a change of a JSON value. */
export const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom("replace", "replace", "replace", "remove", "add", "wrap", "repeat"),
  at: fc.nat(1_000),
  key: fc.constantFrom("__proto__", "constructor", "id", "account_id", "status", "extra", ""),
  value
})

type Place = ReadonlyArray<string | number>

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const places = (value: unknown, at: Place = []): ReadonlyArray<Place> => [
  at,
  ...(Array.isArray(value)
    ? value.slice(0, 20).flatMap((item, index) => places(item, [...at, index]))
    : isObject(value)
      ? Object.entries(value).flatMap(([key, item]) => places(item, [...at, key]))
      : [])
]

const removed = Symbol("removed")

const change = (value: unknown, at: Place, f: (value: unknown) => unknown): unknown => {
  const [first, ...rest] = at
  if (first === undefined) return f(value)
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => {
      const changed = index === first ? change(item, rest, f) : item
      return changed === removed ? [] : [changed]
    })
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      const changed = key === first ? change(item, rest, f) : item
      return changed === removed ? [] : [[key, changed]]
    })
  )
}

/** Returns a changed copy of the value. */
export const mutate = (value: unknown, { at, key, kind, value: hostile }: Mutation): unknown => {
  const all = places(value)
  const place = all[at % all.length] ?? []
  return change(value, place, (found) => {
    switch (kind) {
      case "replace":
        return hostile
      case "remove":
        return place.length === 0 ? {} : removed
      case "add":
        return isObject(found) ? Object.fromEntries([...Object.entries(found), [key, hostile]]) : hostile
      case "wrap":
        return [found]
      case "repeat":
        return [found, found]
    }
  })
}
