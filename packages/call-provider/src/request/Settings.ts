import * as Config from "effect/Config"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

/** A text that is checked. What is said of a wrong one does not repeat it: it may be a secret in the wrong place. */
const checked = (isRight: (text: string) => boolean, expected: string) =>
  Schema.String.check(Schema.makeFilter((text: string) => (isRight(text) ? true : `Expected ${expected}`)))

/** A setting in a form that can be checked. */
export const text = (name: string, form: RegExp, expected: string): Config.Config<string> =>
  Config.schema(
    checked((text) => form.test(text), expected),
    name
  )

/** A setting that nobody may see. */
export const secret = (name: string): Config.Config<Redacted.Redacted<string>> =>
  Config.schema(Schema.Redacted(checked((text) => text !== "", "a text that is not empty")), name)

const isWebUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "" && url.hash === ""
}

/** A setting that is a URL with `https:`, or with `http:` for development. */
export const url = (name: string): Config.Config<URL> =>
  Config.map(Config.schema(checked(isWebUrl, "a URL, for example https://example.com"), name), (text) => new URL(text))

/** Whether a setting is given; an empty one is as good as none. */
export const isGiven = (name: string): Config.Config<boolean> =>
  Config.map(Config.withDefault(Config.String(name), ""), (text) => text !== "")

/** A setting that may be absent or empty. */
export const optional = <A>(name: string, setting: (name: string) => Config.Config<A>): Config.Config<A | undefined> =>
  Config.flatMap(isGiven(name), (isGiven) => (isGiven ? setting(name) : Config.succeed(undefined)))
