import { MemberId } from "@frontdesk/core/access/Person"
import { signInPath } from "@frontdesk/core/people/DashboardSite"
import { defaultLinkMinutes, maxLinkMinutes } from "@frontdesk/core/people/MemberInput"
import { SignInLinks } from "@frontdesk/core/people/SignInLinks"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as DashboardUrl from "../DashboardUrl.ts"
import * as SettingCodecs from "../settings/SettingCodecs.ts"
import { loadSite } from "../settings/Settings.ts"
import { as } from "./AsOperator.ts"
import { fromSettings, usage } from "./CommandFailure.ts"
import { personName, role } from "./MembersCommand.ts"
import * as OperatorServices from "./OperatorServices.ts"
import * as Output from "./Output.ts"
import * as Parameters from "./Parameters.ts"

const minutes = SettingCodecs.number(
  `a whole number of minutes from 1 to ${maxLinkMinutes}`,
  (count) => Number.isInteger(count) && count >= 1 && count <= maxLinkMinutes
)

const link = Command.make(
  "link",
  {
    account: Parameters.accountFlag,
    database: Parameters.databaseFlags,
    json: Parameters.json,
    member: Parameters.readFlag("member", Parameters.id).pipe(
      Flag.withMetavar("ID"),
      Flag.withDescription("The member who signs in"),
      Flag.optional
    ),
    role: Flag.optional(role),
    operator: Flag.Boolean("operator").pipe(
      Flag.withDescription("The person is the operator of the installation, who sees all accounts and makes deposits"),
      Flag.withDefault(false)
    ),
    name: Flag.optional(personName),
    minutes: Parameters.readFlag("minutes", minutes).pipe(
      Flag.withMetavar("MINUTES"),
      Flag.withDescription(`For how many minutes the link works (default: ${defaultLinkMinutes})`),
      Flag.withDefault(defaultLinkMinutes)
    )
  },
  ({ account, database, json, member, minutes, name, operator, role }) =>
    OperatorServices.run(
      Effect.gen(function* () {
        const owner = yield* OperatorServices.findAccount(account)
        const site = DashboardUrl.siteOf(yield* Effect.mapError(loadSite, fromSettings))
        if (site === null)
          return yield* usage(
            "FRONTDESK_PORT is 0, so the port of the server is not known here. Set FRONTDESK_PUBLIC_URL to the address of the server"
          )
        const links = yield* SignInLinks
        if (operator && (Option.isSome(member) || Option.isSome(role)))
          return yield* usage("--operator is neither for a member nor with a role: an operator signs in as an owner")
        if (!operator && Option.isNone(member) && Option.isNone(role))
          return yield* usage("Say for whom the link is: --member ID, --role owner, editor or viewer, or --operator")
        const given = { name: Option.getOrNull(name), expiresInMinutes: minutes }
        const issued = yield* as(owner)(
          operator
            ? links.createForOperator(given)
            : links.create({
                ...given,
                memberId: Option.getOrNull(Option.map(member, (id) => MemberId.make(id))),
                role: Option.getOrNull(role)
              })
        )
        const text = `${site.url}${signInPath(Redacted.value(issued.token))}`
        const expiresAt = DateTime.formatIso(issued.link.expiresAt)
        if (json) return yield* Output.json({ id: issued.link.id, url: text, expires_at: expiresAt })
        yield* Output.line(
          `Sign in to the dashboard of account ${owner.id} (${owner.name}) as ${operator ? "operator" : issued.link.role}:\n\n  ${text}\n\n` +
            `The link works once, until ${expiresAt}.`
        )
      }),
      database
    )
).pipe(
  Command.withDescription("Print a link with which one person signs in to the dashboard once"),
  Command.withExamples([
    { command: "frontdesk dashboard link --account acme --member 3", description: "For the member 3" },
    { command: "frontdesk dashboard link --account acme --role viewer --name Auditor", description: "For a guest" },
    {
      command: "frontdesk dashboard link --account acme --operator",
      description: "For the operator of the installation"
    }
  ])
)

/** The command `frontdesk dashboard`. */
export const dashboard = Command.make("dashboard").pipe(
  Command.withDescription("Use the dashboard of the server"),
  Command.withSubcommands([link])
)
