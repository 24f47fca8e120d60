import * as RootMessage from "@frontdesk/core/values/RootMessage"
import process from "node:process"
import { createInterface } from "node:readline"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Prompt from "effect/cli/Prompt"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type Failure, usage } from "./CommandFailure.ts"

const firstLine = async (): Promise<string> => {
  const lines = createInterface({ input: process.stdin })
  for await (const line of lines) {
    lines.close()
    return line.trim()
  }
  return ""
}

/** Reads the first line of standard input; empty if there is none. */
export const line: Effect.Effect<string, Failure> = Effect.tryPromise({
  try: firstLine,
  catch: (error) => usage(`Standard input cannot be read: ${RootMessage.of(error)}`)
})

/** Reads a secret from an environment variable; empty if it is not given. */
export const ofVariable = Effect.fnUntraced(function* (variable: string) {
  const environment = yield* ConfigProvider.ConfigProvider
  return yield* Effect.orElseSucceed(Config.Redacted(variable).parse(environment), () => Redacted.make(""))
})

/**
 * Reads a secret from an environment variable, or else from a line of standard input, which a terminal does not show. It
 * is never an argument, because every user of a machine can read the arguments of a process.
 *
 * @param prompt the text that asks for the secret in a terminal
 */
export const secret = Effect.fnUntraced(function* (
  variable: string,
  prompt: string
): Effect.fn.Return<Redacted.Redacted<string>, Failure, Prompt.Environment> {
  const given = yield* ofVariable(variable)
  if (Redacted.value(given) !== "") return given
  const typed = process.stdin.isTTY
    ? yield* Effect.mapError(Prompt.run(Prompt.Hidden({ message: prompt })), () => usage("Nothing was entered"))
    : Redacted.make(yield* line)
  if (Redacted.value(typed) === "") {
    return yield* usage(`The secret is missing. Give it with ${variable}, or as a line of standard input`)
  }
  return typed
})
