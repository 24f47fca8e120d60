import type { Member } from "@frontdesk/core/access/Member"
import { MemberRole } from "@frontdesk/core/access/MemberRole"
import { MemberId } from "@frontdesk/core/access/Person"
import { Members } from "@frontdesk/core/people/Members"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as SettingCodecs from "../settings/SettingCodecs.ts"
import { as } from "./AsOperator.ts"
import * as OperatorServices from "./OperatorServices.ts"
import * as Output from "./Output.ts"
import * as Parameters from "./Parameters.ts"

const iso = (instant: DateTime.Utc | null): string | null => (instant === null ? null : DateTime.formatIso(instant))

const view = (member: Member) => ({
  id: member.id,
  account_id: member.accountId,
  email: member.email,
  name: member.name,
  role: member.role,
  created_at: iso(member.createdAt),
  last_sign_in_at: iso(member.lastSignInAt)
})

const common = { account: Parameters.accountFlag, database: Parameters.databaseFlags, json: Parameters.json }

const member = Parameters.readArgument("member", Parameters.id).pipe(Argument.withDescription("The id of the member"))

/** The flag `--role`. */
export const role = Parameters.readFlag("role", SettingCodecs.oneOf(MemberRole.literals)).pipe(
  Flag.withMetavar(MemberRole.literals.join("|")),
  Flag.withDescription("An owner does everything, an editor reads and changes, a viewer only reads")
)

/** The flag `--name`. */
export const personName = Flag.String("name").pipe(
  Flag.withAlias("n"),
  Flag.withMetavar("NAME"),
  Flag.withDescription("The name of the person")
)

const list = Command.make("list", common, ({ account, database, json }) =>
  OperatorServices.run(
    Effect.gen(function* () {
      const owner = yield* OperatorServices.findAccount(account)
      const all = yield* (yield* Members).list.pipe(as(owner))
      if (json) return yield* Output.json({ members: all.map(view) })
      yield* Output.table(
        ["ID", "E-MAIL", "NAME", "ROLE", "LAST SIGN-IN"],
        all.map((one) => [String(one.id), one.email, one.name, one.role, iso(one.lastSignInAt) ?? "never"])
      )
    }),
    database
  )
).pipe(Command.withDescription("List the people who may sign in to the dashboard of an account"))

const add = Command.make(
  "add",
  { ...common, email: Argument.String("email"), name: personName, role },
  ({ account, database, email, json, name, role }) =>
    OperatorServices.run(
      Effect.gen(function* () {
        const owner = yield* OperatorServices.findAccount(account)
        const added = yield* (yield* Members).create({ email, name, role }).pipe(
          as(owner),
          // The command asks for no mail.
          Effect.catchTag("MailNotOffered", Effect.die)
        )
        if (json) return yield* Output.json(view(added))
        yield* Output.line(
          `Member ${added.id} (${added.email}) is ${added.role} of account ${owner.id} (${owner.name}). ` +
            `"frontdesk dashboard link --account ${account} --member ${added.id}" prints a sign-in link`
        )
      }),
      database
    )
).pipe(
  Command.withDescription("Add a person who may sign in to the dashboard of an account"),
  Command.withExamples([
    {
      command: "frontdesk members add jo@example.com --account acme --name Jo --role owner",
      description: "The first owner of an account, who can add the others"
    }
  ])
)

const change = Command.make(
  "change",
  { ...common, member, name: Flag.optional(personName), role: Flag.optional(role) },
  ({ account, database, json, member, name, role }) =>
    OperatorServices.run(
      Effect.gen(function* () {
        const owner = yield* OperatorServices.findAccount(account)
        const body = {
          ...(Option.isSome(name) && { name: name.value }),
          ...(Option.isSome(role) && { role: role.value })
        }
        const changed = yield* (yield* Members).patch(MemberId.make(member), body).pipe(as(owner))
        if (json) return yield* Output.json(view(changed))
        yield* Output.line(`Member ${changed.id} (${changed.email}) is ${changed.role}, with the name ${changed.name}`)
      }),
      database
    )
).pipe(Command.withDescription("Change the name or the role of a member, at once"))

const remove = Command.make("remove", { ...common, member }, ({ account, database, json, member }) =>
  OperatorServices.run(
    Effect.gen(function* () {
      const owner = yield* OperatorServices.findAccount(account)
      const members = yield* Members
      const before = yield* members.get(MemberId.make(member)).pipe(as(owner))
      yield* members.delete(before.id).pipe(as(owner))
      if (json) return yield* Output.json(view(before))
      yield* Output.line(`Member ${before.id} (${before.email}) is removed and signed out`)
    }),
    database
  )
).pipe(Command.withDescription("Remove a member, whose sessions end at once"))

/** The command `frontdesk members`. */
export const members = Command.make("members").pipe(
  Command.withDescription("Manage the people who may sign in to the dashboard of an account"),
  Command.withSubcommands([list, add, change, remove])
)
