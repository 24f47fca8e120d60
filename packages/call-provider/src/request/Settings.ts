import { readable, type TextReader } from "@frontdesk/core/values/TextReader"
import * as Config from "effect/Config"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

/** Returns the setting with a name, read by a reader. Its error does not quote the text. */
export const setting = <A>(name: string, reader: TextReader<A>): Config.Config<A> =>
  Config.map(Config.schema(readable(reader), name), (text) => Result.getOrThrow(reader(text)))

/** Reads a secret. It must not be empty. */
export const secret: TextReader<Redacted.Redacted<string>> = (text) =>
  text === "" ? Result.fail("a non-empty text") : Result.succeed(Redacted.make(text))

/** Reads a URL with `https:`, or with `http:` for development. It must have no credentials and no fragment. */
export const url: TextReader<URL> = (text) => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "" && url.hash === ""
    ? Result.succeed(url)
    : Result.fail("a URL, for example https://example.com")
}

/** Returns whether a setting is given and not empty. */
export const isGiven = (name: string): Config.Config<boolean> =>
  Config.map(Config.withDefault(Config.String(name), ""), (text) => text !== "")

/** Returns a setting that may be absent or empty. It is undefined then. */
export const optional = <A>(name: string, setting: (name: string) => Config.Config<A>): Config.Config<A | undefined> =>
  Config.flatMap(isGiven(name), (isGiven) => (isGiven ? setting(name) : Config.succeed(undefined)))
