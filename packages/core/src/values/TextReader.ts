import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** Reads the text of a setting or a parameter. Returns the value, or a description of what was expected. */
export type TextReader<A> = (text: string) => Result.Result<A, string>

/**
 * Returns the schema of the texts that a reader can read. Its error names what was expected. It never contains the
 * text, which may be a secret that was set in the wrong place.
 */
export const readable = (reader: TextReader<unknown>) =>
  Schema.String.check(
    Schema.makeFilter((text: string) =>
      Result.match(reader(text), { onFailure: (expected) => `Expected ${expected}`, onSuccess: () => true })
    )
  )

/** Returns a reader that accepts texts that match a pattern, and returns them unchanged. */
export const matching =
  (expected: string, form: RegExp): TextReader<string> =>
  (text) =>
    form.test(text) ? Result.succeed(text) : Result.fail(expected)

/** Returns a reader that accepts texts for which `parse` does not return undefined, and returns them unchanged. */
export const accepting =
  (expected: string, parse: (text: string) => unknown): TextReader<string> =>
  (text) =>
    parse(text) === undefined ? Result.fail(expected) : Result.succeed(text)
