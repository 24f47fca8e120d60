import { readable, type TextReader } from "@frontdesk/core/values/TextReader"
import * as Config from "effect/Config"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

/** Returns a setting that a reader reads. Its error does not repeat the text. */
export const setting = <A>(name: string, reader: TextReader<A>): Config.Config<A> =>
  Config.map(Config.schema(readable(reader), name), (text) => Result.getOrThrow(reader(text)))

/** Reads a secret. */
export const secret: TextReader<Redacted.Redacted<string>> = (text) =>
  text === "" ? Result.fail("a text that is not empty") : Result.succeed(Redacted.make(text))

/** A URL with `https:`, or with `http:` for development. */
export const url: TextReader<URL> = (text) => {
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
