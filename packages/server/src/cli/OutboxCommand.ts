import type { AccountId } from "@frontdesk/core/access/Account"
import {
  type OutboxFilter,
  type OutboxKind,
  OutboxOperations,
  type OutboxReport
} from "@frontdesk/core/outbox/OutboxOperations"
import { OutboxTaskId } from "@frontdesk/core/outbox/OutboxTask"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as SettingCodecs from "../settings/SettingCodecs.ts"
import * as OperatorServices from "./OperatorServices.ts"
import * as Output from "./Output.ts"
import * as Parameters from "./Parameters.ts"

const common = { database: Parameters.databaseFlags, json: Parameters.json }

const filterFlags = {
  account: Flag.optional(Parameters.accountFlag),
  kind: Parameters.readFlag(
    "kind",
    SettingCodecs.choice({ mail: "mail", calendar: "calendar" } satisfies Record<OutboxKind, OutboxKind>)
  ).pipe(
    Flag.withMetavar("mail|calendar"),
    Flag.withDescription("Only mail, or only what is written to a calendar"),
    Flag.optional
  )
}

const filter = Effect.fnUntraced(function* (flags: {
  readonly account: Option.Option<string>
  readonly kind: Option.Option<OutboxKind>
}) {
  const accountId: AccountId | undefined = Option.isNone(flags.account)
    ? undefined
    : (yield* OperatorServices.findAccount(flags.account.value)).id
  return { accountId, kind: Option.getOrUndefined(flags.kind) } satisfies OutboxFilter
})

const view = (task: OutboxReport, refs: ReadonlyMap<number, string>) => ({
  id: task.id,
  kind: task.kind,
  mail: task.mail,
  provider: task.provider,
  event_id: task.eventId,
  account_id: task.accountId,
  account_ref: task.accountId === null ? null : (refs.get(task.accountId) ?? null),
  attempts: task.attempts,
  reason: task.reason,
  abandoned_at: DateTime.formatIso(task.deadLetteredAt)
})

const list = Command.make(
  "list",
  { ...common, ...filterFlags, ...Parameters.pageFlags },
  ({ database, json, limit, page, ...flags }) =>
    OperatorServices.run(
      Effect.gen(function* () {
        const operations = yield* OutboxOperations
        const found = yield* operations.list({ ...(yield* filter(flags)), page, limit })
        const refs = yield* OperatorServices.accountRefs
        const tasks = found.items.map((task) => view(task, refs))
        if (json) {
          return yield* Output.json({ ...Output.numbers(found), tasks })
        }
        if (tasks.length > 0) {
          yield* Output.table(
            ["TASK", "ACCOUNT", "REF", "EVENT", "WHAT", "TRIES", "REASON", "SET ASIDE"],
            tasks.map((task) => [
              String(task.id),
              String(task.account_id ?? ""),
              task.account_ref ?? "",
              String(task.event_id),
              task.kind === null ? "" : `${task.kind} ${task.mail ?? task.provider}`,
              String(task.attempts),
              task.reason,
              task.abandoned_at
            ])
          )
        }
        yield* Output.line(Output.place("tasks", found))
      }),
      database
    )
).pipe(Command.withDescription("List the mails and calendar writes that were set aside, newest first, and why"))

const retry = Command.make(
  "retry",
  {
    ...common,
    task: Parameters.readArgument("task", Parameters.id).pipe(
      Argument.map((id) => OutboxTaskId.make(id)),
      Argument.withDescription("The id of the task")
    )
  },
  ({ database, json, task }) =>
    OperatorServices.run(
      Effect.gen(function* () {
        yield* (yield* OutboxOperations).retry(task)
        if (json) return yield* Output.json({ task, retried: 1 })
        yield* Output.line(`Task ${task} is given to the server once more, as a new one`)
      }),
      database
    )
).pipe(
  Command.withDescription(
    "Have one of them done again, as a new task with all its tries; a mail that is no longer true is not sent"
  )
)

const retryAll = Command.make("retry-all", { ...common, ...filterFlags }, ({ database, json, ...flags }) =>
  OperatorServices.run(
    Effect.gen(function* () {
      const count = yield* (yield* OutboxOperations).retryAll(yield* filter(flags))
      if (json) return yield* Output.json({ retried: count })
      yield* Output.line(`Tasks that are given to the server once more: ${count}`)
    }),
    database
  )
).pipe(
  Command.withDescription("Have all of them done again, or those of an account or a kind"),
  Command.withExamples([
    {
      command: "frontdesk outbox retry-all --kind mail",
      description: "After the mail server had refused the password"
    },
    {
      command: "frontdesk outbox retry-all --account acme --kind calendar",
      description: "After the calendar of an account could not be written to"
    }
  ])
)

/** `frontdesk outbox`. */
export const outbox = Command.make("outbox").pipe(
  Command.withShortDescription("Mails and calendar writes that were set aside"),
  Command.withDescription(
    "Mails and calendar writes that were set aside: refused for good, or failed too often. They are kept for 30 days."
  ),
  Command.withSubcommands([list, retry, retryAll])
)
