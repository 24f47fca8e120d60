import * as RootMessage from "@frontdesk/core/values/RootMessage"
import { text } from "node:stream/consumers"
import { readFile } from "node:fs/promises"
import process from "node:process"
import { type Provisioned, Provisioning } from "@frontdesk/core/provisioning/Provisioning"
import * as ProvisioningDocument from "@frontdesk/core/provisioning/ProvisioningDocument"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { fromProblems, lines, usage } from "./CommandFailure.ts"
import * as OperatorServices from "./OperatorServices.ts"
import * as Output from "./Output.ts"
import * as Parameters from "./Parameters.ts"

/** Returns the text of the document and its name for messages. */
const read = Effect.fnUntraced(function* (file: string) {
  const source = file === "-" ? "The document on standard input" : `The document ${file}`
  const content = yield* Effect.tryPromise({
    try: () => (file === "-" ? text(process.stdin) : readFile(file, "utf8")),
    catch: (error) => usage(`${source} cannot be read: ${RootMessage.of(error)}`)
  })
  return { source, content: content.replace(/^\uFEFF/, "") }
})

/** Returns the position of a JSON error. The message of the error also shows a part of the text, which may have a key. */
const placeOf = (error: unknown): string => {
  const [place = ""] = /position \d+(?: \(line \d+ column \d+\))?$/.exec(RootMessage.of(error)) ?? []
  return place === "" ? "" : `: error at ${place}`
}

const parse = Effect.fnUntraced(function* (source: string, content: string) {
  const document = yield* Effect.try({
    try: (): unknown => JSON.parse(content),
    catch: (error) => usage(`${source} is not JSON; nothing was changed${placeOf(error)}`)
  })
  const decoded = ProvisioningDocument.decode(document)
  if (Result.isFailure(decoded)) return yield* fromProblems(source, decoded.failure)
  const unknown = decoded.success.unknown.map(({ field, message }) => `${field}: ${message}`)
  if (unknown.length > 0) yield* Console.error(lines("frontdesk: unknown fields are ignored:", unknown))
  return decoded.success.document
})

/** Returns the ids of the created records, by ref. Scripts read this object, so its form must not change. */
const view = (made: Provisioned) => ({
  accounts: made.accounts,
  teams: made.teams,
  api_keys: Record.map(made.apiKeys, ({ id, key }) => (key === undefined ? { id } : { id, key: Redacted.value(key) })),
  agents: made.agents,
  contacts: Record.map(made.contacts, ({ id, phoneNumbers }) => ({ id, phone_numbers: phoneNumbers }))
})

/** The command `frontdesk provision`. */
export const provision = Command.make(
  "provision",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("The path of a provisioning document; - reads standard input")
    ),
    database: Parameters.databaseFlags
  },
  Effect.fnUntraced(function* ({ file, database }) {
    const { source, content } = yield* read(file)
    const document = yield* parse(source, content)
    yield* OperatorServices.run(
      Effect.gen(function* () {
        const provisioning = yield* Provisioning
        yield* Output.json(view(yield* provisioning.apply(document)))
      }).pipe(Effect.catchTags({ ProvisioningError: ({ problems }) => fromProblems(source, problems) })),
      database,
      { mayCreate: true }
    )
  })
).pipe(
  Command.withShortDescription("Create accounts, teams, keys, agents and contacts from a document"),
  Command.withDescription(
    "Applies a provisioning document completely or not at all, also while a server runs, and prints the ids as JSON, by " +
      "ref. Applying the same document again changes nothing and prints the same ids. The value of a key is printed only by " +
      "the run that creates it, or if the document contains it."
  ),
  Command.withExamples([
    { command: "frontdesk provision acme.json", description: "Apply a file" },
    { command: "frontdesk provision - < acme.json", description: "Apply a document from standard input" }
  ])
)
