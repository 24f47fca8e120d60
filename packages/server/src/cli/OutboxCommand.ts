import type { AccountId } from "@frontdesk/core/access/Account"
import { type OutboxFilter, OutboxOperations } from "@frontdesk/core/outbox/OutboxOperations"
import type { OutboxKind, OutboxReport } from "@frontdesk/core/outbox/OutboxReport"
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
    SettingCodecs.choice({ mail: "mail", calendar: "calendar", sign_in: "sign_in" } satisfies Record<
      OutboxKind,
      OutboxKind
    >)
  ).pipe(
    Flag.withMetavar("mail|calendar|sign_in"),
    Flag.withDescription("Only mails to customers, only calendar writes, or only mails with sign-in links"),
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
  account_ref: refs.get(task.accountId) ?? null,
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
          return yield* Output.json({ ...Output.pageFields(found), tasks })
        }
        if (tasks.length > 0) {
          yield* Output.table(
            ["TASK", "ACCOUNT", "REF", "EVENT", "WHAT", "TRIES", "REASON", "DEAD-LETTERED"],
            tasks.map((task) => [
              String(task.id),
              String(task.account_id),
              task.account_ref ?? "",
              task.event_id === null ? "" : String(task.event_id),
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
).pipe(Command.withDescription("List the dead-lettered mails and calendar writes, newest first, with the reason"))

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
        yield* Output.line(`Task ${task} is due again, as a new task`)
      }),
      database
    )
).pipe(
  Command.withDescription(
    "Retry one task as a new task, which is tried as often as any new one. A mail that is out of date is not sent"
  )
)

const retryAll = Command.make("retry-all", { ...common, ...filterFlags }, ({ database, json, ...flags }) =>
  OperatorServices.run(
    Effect.gen(function* () {
      const count = yield* (yield* OutboxOperations).retryAll(yield* filter(flags))
      if (json) return yield* Output.json({ retried: count })
      yield* Output.line(`Tasks that are due again: ${count}`)
    }),
    database
  )
).pipe(
  Command.withDescription("Retry all dead-lettered tasks, or only those of one account or kind"),
  Command.withExamples([
    {
      command: "frontdesk outbox retry-all --kind mail",
      description: "After the mail server had rejected the password"
    },
    {
      command: "frontdesk outbox retry-all --account acme --kind calendar",
      description: "After the server could not write to the calendar of an account"
    }
  ])
)

/** The command `frontdesk outbox`. */
export const outbox = Command.make("outbox").pipe(
  Command.withShortDescription("Retry dead-lettered mails and calendar writes"),
  Command.withDescription(
    "Lists and retries dead-lettered mails and calendar writes: those that were rejected permanently or failed too often. " +
      "They are stored for 30 days."
  ),
  Command.withSubcommands([list, retry, retryAll])
)
