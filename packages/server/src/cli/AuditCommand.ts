import type { Account } from "@frontdesk/core/access/Account"
import { AuditLog } from "@frontdesk/core/account/AuditLog"
import { type AuditQuery, cursorOf, maxLimit } from "@frontdesk/core/account/AuditLogInput"
import { ActorType } from "@frontdesk/core/audit/Actor"
import { AuditOperation, EntityType } from "@frontdesk/core/audit/AuditOperation"
import type { AuditEntry } from "@frontdesk/core/audit/AuditEntry"
import * as AuditView from "@frontdesk/http/audit/AuditView"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import * as SettingCodecs from "../settings/SettingCodecs.ts"
import { as } from "./AsOperator.ts"
import { usage } from "./CommandFailure.ts"
import * as OperatorServices from "./OperatorServices.ts"
import * as Output from "./Output.ts"
import * as Parameters from "./Parameters.ts"

const encode = Schema.encodeSync(AuditView.AuditEntryView)

const id = (name: string, meaning: string) =>
  Flag.String(name).pipe(Flag.withMetavar("ID"), Flag.withDescription(meaning), Flag.optional)

const readOperation = SettingCodecs.oneOf(AuditOperation.literals)

const filters = {
  ...Parameters.dateFlags,
  actorType: Parameters.readFlag("actor", SettingCodecs.oneOf(ActorType.literals)).pipe(
    Flag.withMetavar("TYPE"),
    Flag.withDescription(`Only changes by this type of actor: ${ActorType.literals.join(", ")}`),
    Flag.optional
  ),
  actorId: id("actor-id", "Only changes by the actor with this id; needs --actor"),
  operation: Parameters.readFlag("operation", readOperation).pipe(
    Flag.withMetavar("NAME"),
    Flag.withDescription("Only this operation, for example contacts.patch"),
    Flag.optional
  ),
  entityType: Parameters.readFlag("record", SettingCodecs.oneOf(EntityType.literals)).pipe(
    Flag.withMetavar("TYPE"),
    Flag.withDescription(`Only changes of this type of record: ${EntityType.literals.join(", ")}`),
    Flag.optional
  ),
  entityId: id("record-id", "Only changes of the record with this id; needs --record")
}

const common = { account: Parameters.accountFlag, database: Parameters.databaseFlags, filters }

/** Returns a page of the audit log of an account. */
const pageOf = (account: Account, query: AuditQuery) =>
  Effect.gen(function* () {
    return yield* (yield* AuditLog).read(query).pipe(as(account))
  }).pipe(Effect.catchTag("InvalidParameter", ({ parameter }) => usage(hints[parameter] ?? parameter)))

/** What is wrong with the flags, by the parameter of the API that is refused. */
const hints: Readonly<Record<string, string>> = {
  end_date: "--end-date is before --start-date",
  actor_type: "--actor-id needs --actor",
  entity_type: "--record-id needs --record"
}

const rowOf = ({
  actor,
  at,
  changes,
  clientAddress,
  entity,
  id,
  operation,
  requestId,
  unlistedChanges
}: AuditEntry) => [
  String(id),
  DateTime.formatIso(at),
  actor.id === null ? actor.type : `${actor.type} ${actor.id}`,
  operation,
  entity.id === null ? entity.type : `${entity.type} ${entity.id}`,
  [...changes.map(({ field }) => field), ...(unlistedChanges > 0 ? [`and ${unlistedChanges} more`] : [])].join(", "),
  requestId ?? "",
  clientAddress ?? ""
]

const list = Command.make(
  "list",
  {
    ...common,
    json: Parameters.json,
    limit: Parameters.pageFlags.limit,
    cursor: Flag.String("cursor").pipe(
      Flag.withMetavar("CURSOR"),
      Flag.withDescription("The cursor at the end of the page before"),
      Flag.optional
    )
  },
  ({ account, cursor, database, filters, json, limit }) =>
    OperatorServices.run(
      Effect.gen(function* () {
        const owner = yield* OperatorServices.findAccount(account)
        const { entries, next } = yield* pageOf(owner, { ...Record.getSomes({ ...filters, cursor }), limit })
        if (json) {
          return yield* Output.json({
            entries: entries.map((entry) => encode(AuditView.auditEntryView(entry))),
            next_cursor: next
          })
        }
        yield* Output.table(
          ["ID", "TIME", "ACTOR", "OPERATION", "RECORD", "FIELDS", "REQUEST", "ADDRESS"],
          entries.map(rowOf)
        )
        yield* Output.line(next === null ? "\nThis is the oldest entry" : `\nOlder entries: --cursor ${next}`)
      }),
      database
    )
).pipe(
  Command.withDescription("List the changes in an account, newest first: who changed what, when, and in which request"),
  Command.withExamples([
    { command: "frontdesk audit list --account acme --record contact", description: "The changes of contacts of acme" }
  ])
)

const exported = Command.make("export", common, ({ account, database, filters }) =>
  OperatorServices.run(
    Effect.gen(function* () {
      const owner = yield* OperatorServices.findAccount(account)
      const selected = Record.getSomes(filters)
      let cursor: string | undefined
      // One page at a time, so that a log of any length needs little memory. A page is also short when entries in it cannot
      // be read, so only an empty page is the end.
      while (true) {
        const { entries } = yield* pageOf(owner, {
          ...selected,
          limit: maxLimit,
          ...(cursor !== undefined && { cursor })
        })
        const last = entries.at(-1)
        if (last === undefined) return
        yield* Output.line(AuditView.jsonLines(entries).trimEnd())
        cursor = cursorOf(last)
      }
    }),
    database
  )
).pipe(
  Command.withDescription("Print the changes in an account as JSON Lines, newest first"),
  Command.withExamples([
    {
      command: "frontdesk audit export --account acme --end-date 2026-06-30 > audit.jsonl",
      description: "The audit log of acme until the end of June"
    }
  ])
)

/** The command `frontdesk audit`. */
export const audit = Command.make("audit").pipe(
  Command.withDescription("Show who has changed what in an account"),
  Command.withSubcommands([list, exported])
)
