import { baseOf } from "@frontdesk/core/values/BasePath"
import { isOrigin } from "@frontdesk/http/request/Origin"
import { readable, type TextReader } from "@frontdesk/core/values/TextReader"
import * as ByteSize from "effect/ByteSize"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

/** Returns the codec of a setting: a reader parses the text, and the schema checks the result. */
export const read = <A>(value: Schema.Codec<A, unknown>, reader: TextReader<A>): Schema.ConstraintCodec<A, unknown> =>
  readable(reader).pipe(
    Schema.decodeTo(
      Schema.toType(value),
      SchemaTransformation.transform({
        decode: (text: string) => Result.getOrThrow(reader(text)),
        encode: (value) => String(value)
      })
    )
  )

/** Reads a list of items separated by commas. It ignores spaces around items, and `none` is the empty list. */
export const list =
  <A>(item: TextReader<A>): TextReader<ReadonlyArray<A>> =>
  (text) =>
    text.trim() === "none" ? Result.succeed([]) : Result.all(text.split(",").map((part) => item(part.trim())))

/** Reads an empty text as null, and any other text with the reader. */
export const orNull =
  <A>(reader: TextReader<A>): TextReader<A | null> =>
  (text) =>
    text === "" ? Result.succeed(null) : reader(text)

const units: ReadonlyArray<readonly [names: RegExp, millis: number]> = [
  [/^(ms|millis?|milliseconds?)$/, 1],
  [/^(s|seconds?)$/, 1_000],
  [/^(m|minutes?)$/, 60_000],
  [/^(h|hours?)$/, 3_600_000],
  [/^(d|days?)$/, 86_400_000]
]

/** Reads one of the names, in upper or lower case, and returns the value of that name. */
export const choice =
  <A>(values: Readonly<Record<string, A>>): TextReader<A> =>
  (text) => {
    const names = Object.keys(values)
    const found = Record.get(values, text.trim().toLowerCase())
    return Result.fromOption(found, () => (names.length === 1 ? names.join() : `one of ${names.join(", ")}`))
  }

/** Reads one of the given texts, in upper or lower case. The given texts are in lower case. */
export const oneOf = <A extends string>(texts: ReadonlyArray<A>): TextReader<A> =>
  choice(Record.fromIterableWith(texts, (text) => [text, text]))

/** Reads `true`, `yes`, `on` or `1` as true, and `false`, `no`, `off` or `0` as false. */
export const boolean: TextReader<boolean> = (text) =>
  Result.mapError(
    choice({ true: true, yes: true, on: true, 1: true, false: false, no: false, off: false, 0: false })(text),
    () => "true or false"
  )

/**
 * Reads a decimal number without a sign, with at most 12 digits before the point and 6 after it. Fails with `expected` for
 * any other text, and when `isRight` rejects the number.
 */
export const number =
  (expected: string, isRight: (value: number) => boolean): TextReader<number> =>
  (text) =>
    /^\d{1,12}(\.\d{1,6})?$/.test(text.trim()) && isRight(Number(text))
      ? Result.succeed(Number(text))
      : Result.fail(expected)

/** Reads a time span above zero: `10 seconds`, `1.5 hours`, `500 ms` or `10s`. */
export const duration: TextReader<Duration.Duration> = (text) => {
  const [, amount = "", name = ""] = /^(\d{1,12}(?:\.\d{1,6})?)\s*([a-z]+)$/.exec(text.trim()) ?? []
  const millis = Number(amount) * (units.find(([names]) => names.test(name))?.[1] ?? 0)
  return millis > 0 ? Result.succeed(Duration.millis(millis)) : Result.fail("a time span above zero with its unit")
}

/** Reads a time span from `minimum` to `maximum`, which the error message names in seconds. Zero needs no unit. */
export const durationBetween =
  (minimum: Duration.Duration, maximum: Duration.Duration): TextReader<Duration.Duration> =>
  (text) => {
    const span = /^0\s*[a-z]*$/.test(text.trim()) ? Result.succeed(Duration.zero) : duration(text)
    return Result.isSuccess(span) && Duration.between(span.success, { minimum, maximum })
      ? span
      : Result.fail(`a time span from ${Duration.toSeconds(minimum)} to ${Duration.toSeconds(maximum)} seconds`)
  }

/** Reads a size from 1 byte to 1 GiB: `1 MiB`, `500 kB`, or `2048` for bytes. Returns the bytes. */
export const byteSize: TextReader<number> = (text) => {
  const sized = /^\d+$/.test(text.trim()) ? `${text} B` : text.trim()
  const bytes = Option.flatMap(ByteSize.fromString(sized), ByteSize.toNumber)
  return Option.isSome(bytes) && bytes.value > 0 && bytes.value <= 1_073_741_824
    ? Result.succeed(bytes.value)
    : Result.fail("a size from 1 B to 1 GiB")
}

/** Reads a base address, `https://example.com/desk`, and removes a slash at its end. */
export const baseUrl: TextReader<string> = (text) => {
  const url = URL.parse(text)
  const isBase =
    url !== null && /^https?:$/.test(url.protocol) && !/[?#@\s]/.test(text) && /^https?:\/\/[^/]/i.test(text)
  return isBase
    ? Result.succeed(baseOf(url))
    : Result.fail("an address that begins with http:// or https://, without credentials, query or fragment")
}

/** Reads the URL of a page or an API, `https://example.com/voice?a=b`, without credentials or fragment. */
export const webUrl: TextReader<string> = (text) => {
  const url = URL.parse(text)
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
  return isWeb && !/[#\s]/.test(text)
    ? Result.succeed(text)
    : Result.fail("a URL that begins with http:// or https://, without credentials or fragment")
}

/** Reads a secret. The value is redacted, so that no log and no error message shows it. */
export const secret: TextReader<Redacted.Redacted<string>> = (text) =>
  text.trim() === text && text !== ""
    ? Result.succeed(Redacted.make(text))
    : Result.fail("a text without spaces around it")

/** Reads an origin as browsers send it: scheme, host and port, without a path. */
export const origin: TextReader<string> = (text) =>
  isOrigin(text)
    ? Result.succeed(text)
    : Result.fail("origins separated by commas, each with its scheme and host and without a path")
