import * as Config from "effect/Config"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** Reads a text: the value, or what was expected instead, in words that end no sentence. */
export type Reader<A> = (text: string) => Result.Result<A, string>

/** A setting. What is said of a wrong one does not repeat it: it may be a secret in the wrong place. */
export const setting = <A>(name: string, reader: Reader<A>): Config.Config<A> => {
  const isRight = Schema.makeFilter((text: string) =>
    Result.match(reader(text), { onFailure: (expected) => `Expected ${expected}`, onSuccess: () => true })
  )
  return Config.map(Config.schema(Schema.String.check(isRight), name), (text) => Result.getOrThrow(reader(text)))
}

/** A text of a form. */
export const matching =
  (expected: string, form: RegExp): Reader<string> =>
  (text) =>
    form.test(text) ? Result.succeed(text) : Result.fail(expected)

/** A text that nobody may see. */
export const secret: Reader<Redacted.Redacted<string>> = (text) =>
  text === "" ? Result.fail("a text that is not empty") : Result.succeed(Redacted.make(text))

/** A URL with `https:`, or with `http:` for development. */
export const url: Reader<URL> = (text) => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "" && url.hash === ""
    ? Result.succeed(url)
    : Result.fail("a URL, for example https://example.com")
}

/** Whether a setting is given; an empty one is as good as none. */
export const isGiven = (name: string): Config.Config<boolean> =>
  Config.map(Config.withDefault(Config.String(name), ""), (text) => text !== "")

/** A setting that may be absent or empty. */
export const optional = <A>(name: string, setting: (name: string) => Config.Config<A>): Config.Config<A | undefined> =>
  Config.flatMap(isGiven(name), (isGiven) => (isGiven ? setting(name) : Config.succeed(undefined)))
