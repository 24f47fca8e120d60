import type { Account } from "@frontdesk/client"
import { Link } from "@tanstack/react-router"
import { useSession } from "../app/Session.tsx"
import { words } from "../ui/formats.ts"
import { Card, Facts } from "../ui/Page.tsx"
import { languageName } from "./accountChoices.tsx"
import { textOfRanges, weekdays } from "./accountDraft.ts"
import { dateWithWeekday } from "./accountHours.tsx"

/** What only the operator of the installation changes. */
export const Terms = ({ account }: { readonly account: Account }) => {
  const { formats } = useSession()
  return (
    <Card title="Balance and terms">
      <Facts
        facts={[
          [
            "Balance",
            <span key="balance" className="font-semibold">
              {formats.money(account.balance)}
            </span>
          ],
          [
            "Made up of",
            `${formats.money(account.deposits)} paid in, ${formats.money(account.charges)} spent on calls, ${formats.money(account.reservations)} reserved for running calls`
          ],
          ["Price per minute", formats.money(account.price_per_minute)],
          ["Kind of account", words(account.role)],
          [
            "Teams",
            account.teams.length === 0 ? (
              "None"
            ) : (
              <bdi key="teams">{account.teams.map(({ name }) => name).join(", ")}</bdi>
            )
          ],
          ["Account number", account.id],
          ["Created", formats.date(account.created_at)]
        ]}
      />
      <p className="text-muted px-4 pb-4">
        All amounts are in the currency that you have agreed on with the operator of this installation, who also sets
        these terms.
      </p>
    </Card>
  )
}

/** What must hold for a call to start. */
export const CallRules = ({ account }: { readonly account: Account }) => {
  const { formats } = useSession()
  return (
    <Card title="Rules for outgoing calls">
      <Facts
        facts={[
          [
            "Do not call",
            <Link key="numbers" to="/contacts/do-not-call" className="text-accent underline">
              Numbers that are never called
            </Link>
          ],
          ["Balance", `Must cover the first minute, ${formats.money(account.price_per_minute)}`],
          ["Calls at the same time", `At most ${formats.number(account.max_running_calls)}, set by the operator`]
        ]}
      />
    </Card>
  )
}

const identities = {
  number_only: "greeted by name and manages appointments only",
  trusted: "trusted to be the contact"
} as const satisfies { readonly [I in Account["inbound_identity"]]: string }

/** The settings as text, for a person who may not change them. */
export const SettingsFacts = ({ account }: { readonly account: Account }) => {
  const { formats } = useSession()
  const minutes = (count: number) => formats.counted(count, "minute", "minutes")
  const choices = (list: ReadonlyArray<string> | null) => (list === null ? "Any text" : <bdi>{list.join(", ")}</bdi>)
  const today = formats.today()
  const dates = Object.entries(account.date_overrides)
    .filter(([date]) => date >= today)
    .toSorted(([a], [b]) => a.localeCompare(b))
  return (
    <Card title="Settings">
      <Facts
        facts={[
          ["Name", <bdi key="name">{account.name}</bdi>],
          ["Time zone", account.time_zone.replaceAll("_", " ")],
          ["Language", `${languageName(account.language) ?? ""} (${account.language})`],
          ...weekdays.map(([day, name]) => [name, textOfRanges(account.working_hours[day] ?? [])] as const),
          ...dates.map(([date, ranges]) => [dateWithWeekday(date), textOfRanges(ranges)] as const),
          [
            "Starts of free times",
            account.slot_interval_minutes === null
              ? "As far apart as the appointment takes"
              : `Every ${minutes(account.slot_interval_minutes)}`
          ],
          ["Minimum notice", minutes(account.minimum_notice_minutes)],
          ["Kept free before an appointment", minutes(account.buffer_before_minutes)],
          ["Kept free after an appointment", minutes(account.buffer_after_minutes)],
          ["Overlapping appointments", account.reject_conflicts ? "Refused" : "Allowed"],
          ["Statuses of contacts", choices(account.contact_statuses)],
          ["Stages of contacts", choices(account.contact_stages)],
          ["Caller with the number of a contact", `Is ${identities[account.inbound_identity]}`],
          ["Call from an unknown number", account.inbound_contacts === "create" ? "Adds a contact" : "Adds no contact"],
          ["Agents may change", account.agent_contact_fields.map(words).join(", ") || "No field of a contact"]
        ]}
      />
    </Card>
  )
}
