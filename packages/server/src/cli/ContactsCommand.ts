import * as RootMessage from "@frontdesk/core/values/RootMessage"
import { createReadStream } from "node:fs"
import process from "node:process"
import { ContactExports } from "@frontdesk/core/contact-file/ContactExports"
import { type ContactImport, maxPartLength, OnKnown } from "@frontdesk/core/contact-file/ContactImport"
import { ContactImports } from "@frontdesk/core/contact-file/ContactImports"
import { contactImportView, ContactImportView } from "@frontdesk/http/contact/ContactFileView"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { as } from "./AsOperator.ts"
import { failure, usage } from "./CommandFailure.ts"
import * as OperatorServices from "./OperatorServices.ts"
import * as Output from "./Output.ts"
import * as Parameters from "./Parameters.ts"
import * as TextParts from "./TextParts.ts"

const common = { account: Parameters.accountFlag, database: Parameters.databaseFlags }

const encode = Schema.encodeSync(ContactImportView)

const rowOf = ({ created, id, lines, refused, skipped, status, updated }: ContactImport) =>
  [id, status, lines, created, updated, skipped, refused].map(String)

const header = ["ID", "STATUS", "LINES", "CREATED", "UPDATED", "SKIPPED", "REFUSED"]

const separators = { comma: ",", semicolon: ";", tab: "\t", pipe: "|" } as const

const partsOf = (file: string) =>
  Stream.fromAsyncIterable(
    TextParts.of(file === "-" ? process.stdin : createReadStream(file), maxPartLength),
    (error) =>
      usage(`${file === "-" ? "Standard input" : file} cannot be read as text in UTF-8: ${RootMessage.of(error)}`)
  )

/** Prints a page. It ends with CRLF, and `Output.line` writes the last LF. */
const print = (csv: string) => (csv === "" ? Effect.void : Output.line(csv.slice(0, -1)))

const importFile = Command.make(
  "import",
  {
    ...common,
    json: Parameters.json,
    file: Argument.String("file").pipe(Argument.withDescription("A CSV file in UTF-8, or - for standard input")),
    onKnown: Flag.Literals("on-known", OnKnown.literals).pipe(
      Flag.withDescription("What to do with a line whose phone number or e-mail address a contact has"),
      Flag.withDefault("skip" as const)
    ),
    separator: Flag.Literals("separator", ["comma", "semicolon", "tab", "pipe"]).pipe(
      Flag.withDescription("The character between two cells"),
      Flag.withDefault("comma" as const)
    ),
    dryRun: Flag.Boolean("dry-run").pipe(Flag.withDescription("Only check the lines"), Flag.withDefault(false)),
    columns: Flag.String("column").pipe(
      Flag.withMetavar("COLUMN=FIELD"),
      Flag.withDescription(
        "Which column fills which field, once for each column. Default: columns have names of fields"
      ),
      Flag.between(0, 200)
    )
  },
  ({ account, columns, database, dryRun, file, json, onKnown, separator }) =>
    OperatorServices.run(
      Effect.gen(function* () {
        const owner = yield* OperatorServices.findAccount(account)
        const imports = yield* ContactImports
        const mapped = columns.map((text) => {
          const at = text.lastIndexOf("=")
          return { column: text.slice(0, Math.max(at, 0)), field: text.slice(at + 1) }
        })
        const started = yield* Effect.gen(function* () {
          const { id } = yield* imports.create({
            onKnown,
            separator: separators[separator],
            dryRun,
            ...(mapped.length === 0 ? {} : { columns: mapped })
          })
          return yield* partsOf(file).pipe(
            Stream.runFoldEffect(
              () => 0,
              (number, csv) => Effect.as(imports.addPart(id, { number: number + 1, csv }), number + 1)
            ),
            Effect.andThen(imports.start(id)),
            Effect.onError(() => Effect.ignore(imports.cancel(id)))
          )
        }).pipe(
          as(owner),
          Effect.catchTags({
            ContactImportNotFound: () => failure("The import was deleted meanwhile"),
            ContactImportNotUploading: ({ status }) => failure(`The import is ${status} meanwhile`),
            ContactImportIncomplete: () => usage("The file is empty")
          })
        )
        if (json) return yield* Output.json(encode(contactImportView(started)))
        yield* Output.line(
          `Import ${started.id} of account ${owner.id} (${owner.name}) has started. The server imports its lines. ` +
            'See "frontdesk contacts imports"'
        )
      }),
      database
    )
).pipe(
  Command.withDescription("Import contacts from a CSV file. The server reads its lines in the background"),
  Command.withExamples([
    {
      command: "frontdesk contacts import --account acme --on-known update --column E-mail=email people.csv",
      description: "Create contacts, and change those that exist"
    }
  ])
)

const imports = Command.make(
  "imports",
  { ...common, json: Parameters.json, ...Parameters.pageFlags },
  ({ account, database, json, limit, page }) =>
    OperatorServices.run(
      Effect.gen(function* () {
        const owner = yield* OperatorServices.findAccount(account)
        const found = yield* (yield* ContactImports).list({ page, limit }).pipe(as(owner))
        if (json) {
          return yield* Output.json({
            ...Output.pageFields(found),
            imports: found.items.map((one) => encode(contactImportView(one)))
          })
        }
        yield* Output.table(header, found.items.map(rowOf))
        yield* Output.line(Output.place("imports", found))
      }),
      database
    )
).pipe(Command.withDescription("List the imports of an account, newest first, with how many lines they have read"))

const exportFile = Command.make("export", common, ({ account, database }) =>
  OperatorServices.run(
    Effect.gen(function* () {
      const owner = yield* OperatorServices.findAccount(account)
      const exports = yield* ContactExports
      let found = yield* exports.page({}).pipe(as(owner))
      yield* print(found.csv)
      while (found.next !== null) {
        found = yield* exports.page({ after: found.next }).pipe(as(owner))
        yield* print(found.csv)
      }
    }),
    database
  )
).pipe(
  Command.withDescription("Write all contacts that an account owns to standard output as CSV"),
  Command.withExamples([
    { command: "frontdesk contacts export --account acme > people.csv", description: "Export the contacts of acme" }
  ])
)

/** The command `frontdesk contacts`. */
export const contacts = Command.make("contacts").pipe(
  Command.withDescription("Import and export the contacts of an account"),
  Command.withSubcommands([importFile, imports, exportFile])
)
