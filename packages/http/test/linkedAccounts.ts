import type { AccountRole } from "@frontdesk/core/access/Account"
import { FieldChange } from "@frontdesk/core/audit/FieldChange"
import type { TeamId } from "@frontdesk/core/access/Team"
import { makeAgent, makeTeam } from "@frontdesk/testing/suite/Samples"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { rowsWithout } from "./contact/exportedRows.ts"
import { type Caller, makeTestApi, type StorageName, type TestApi } from "./testApi.ts"

/** The names of the accounts. */
export const accountNames = ["ann", "ben", "cat", "pat", "lou"] as const

/** The name of an account. */
export type AccountName = (typeof accountNames)[number]

/** The names of the teams. */
const teamNames = ["north", "south"] as const

type TeamName = (typeof teamNames)[number]

/** The role, partner and teams of an account, and the team of its agent. The account may be outside of that team. */
export interface AccountTraits {
  readonly role: AccountRole
  /** The partner of a client. It is an earlier account. */
  readonly partner: AccountName | null
  readonly teams: ReadonlyArray<TeamName>
  readonly agentTeam: TeamName | null
}

/** The accounts of an installation, and how they are linked. */
export type AccountPlan = ReadonlyMap<AccountName, AccountTraits>

const alone: AccountTraits = { role: "standard", partner: null, teams: [], agentTeam: null }

/**
 * Every link: two accounts that share a team and its agent, one without links, a partner and its client with a team.
 */
export const allLinks: AccountPlan = new Map<AccountName, AccountTraits>([
  ["ann", { ...alone, teams: ["north"], agentTeam: "north" }],
  ["ben", { ...alone, teams: ["north"] }],
  ["cat", alone],
  ["pat", { ...alone, role: "partner", teams: ["south"] }],
  ["lou", { ...alone, role: "client", partner: "pat", teams: ["south"] }]
])

/** A client without a team. The agent of its partner is in a team with another account. */
export const clientWithoutTeam: AccountPlan = new Map<AccountName, AccountTraits>([
  ["ann", { ...alone, teams: ["south"] }],
  ["ben", { ...alone, teams: ["north"] }],
  ["cat", alone],
  ["pat", { ...alone, role: "partner", teams: ["south"], agentTeam: "south" }],
  ["lou", { ...alone, role: "client", partner: "pat" }]
])

const traits = fc.record({
  role: fc.constantFrom<AccountRole>("standard", "standard", "partner", "client"),
  partner: fc.nat(accountNames.length),
  teams: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.subarray([...teamNames])),
  agentTeam: fc.constantFrom(null, ...teamNames)
})

/**
 * Draws accounts with teams, partners, clients, and agents of any team. A client without an earlier partner is
 * standard.
 */
export const accountPlans: fc.Arbitrary<AccountPlan> = fc.tuple(...accountNames.map(() => traits)).map((all) => {
  const plan = new Map<AccountName, AccountTraits>()
  for (const [index, account] of accountNames.entries()) {
    const given = all[index]
    if (given === undefined) continue
    const partners = [...plan].filter(([, { role }]) => role === "partner").map(([name]) => name)
    const partner = given.role === "client" ? (partners[given.partner % partners.length] ?? null) : null
    plan.set(account, {
      ...given,
      partner,
      role: given.role === "client" && partner === null ? "standard" : given.role
    })
  }
  return plan
})

/**
 * Returns whether one account may see a record of the other: through a team, as partner and client, or through an
 * agent.
 */
const areRelated = (plan: AccountPlan, one: AccountName, other: AccountName): boolean => {
  const [a, b] = [plan.get(one), plan.get(other)]
  if (a === undefined || b === undefined) return false
  const sees = (teams: ReadonlyArray<TeamName>, team: TeamName | null) => team !== null && teams.includes(team)
  return (
    a.partner === other ||
    b.partner === one ||
    a.teams.some((team) => b.teams.includes(team)) ||
    sees(a.teams, b.agentTeam) ||
    sees(b.teams, a.agentTeam)
  )
}

/**
 * Returns groups of accounts. Accounts of different groups cannot see records of each other, also not through a third.
 */
export const groupsOf = (plan: AccountPlan): ReadonlyArray<ReadonlyArray<AccountName>> => {
  let groups: ReadonlyArray<ReadonlyArray<AccountName>> = []
  for (const account of accountNames) {
    const isNear = (group: ReadonlyArray<AccountName>) => group.some((other) => areRelated(plan, account, other))
    groups = [...groups.filter((group) => !isNear(group)), [...groups.filter(isNear).flat(), account]]
  }
  return groups
}

/** An installation with some of the accounts of a plan. */
export interface LinkedAccounts {
  readonly api: TestApi
  readonly teams: ReadonlyArray<TeamId>
  readonly teamIds: ReadonlyMap<TeamName, TeamId>
  readonly callers: ReadonlyMap<AccountName, Caller>
  readonly agents: ReadonlyMap<AccountName, string>
}

/**
 * Makes an installation with the given accounts of a plan. It always has all teams, because the existence of a team is
 * not secret (D-TEAM-2).
 */
export const makeLinkedAccounts = async (
  storage: StorageName,
  plan: AccountPlan,
  present: ReadonlyArray<AccountName> = accountNames
): Promise<LinkedAccounts> => {
  const api = await makeTestApi(storage)
  const teams = new Map<TeamName, TeamId>()
  for (const name of teamNames) teams.set(name, (await api.run(makeTeam(name))).id)
  const idsOf = (names: ReadonlyArray<TeamName>) => names.flatMap((name) => teams.get(name) ?? [])
  const callers = new Map<AccountName, Caller>()
  const agents = new Map<AccountName, string>()
  for (const [account, { agentTeam, partner, role, teams: names }] of plan) {
    if (!present.includes(account)) continue
    const partnerId = partner === null ? undefined : callers.get(partner)?.account.id
    const caller = await api.caller({
      balance: 100,
      role,
      teamIds: idsOf(names),
      ...(partnerId === undefined ? {} : { partnerId })
    })
    callers.set(account, caller)
    const [teamId = null] = agentTeam === null ? [] : idsOf([agentTeam])
    const agent = await api.run(makeAgent(caller.account.id, { name: account, assistantId: `asst_${account}`, teamId }))
    agents.set(account, String(agent.id))
  }
  return { api, teams: idsOf(teamNames), teamIds: teams, callers, agents }
}

/** The columns of an exported file that differ between installations. */
const generatedColumns = ["id", "team_id", "last_call_date", "created_at", "updated_at"]

const generated = /^(?:next|id|.*_id|uuid|secret|ics_url|prefix|value|url|authorization_url|cursor|next_cursor)$/
const times =
  /^(?:(?:archived|created|updated|next_attempt|last_delivery|last_used|revoked|previous_expires|expires)_)?at$/

// Returns the kind of record to which an `id` belongs, from the field or the group around it: "ai_agent" and "agents"
// are both agents.
const kindOf = (holder: string): string => holder.replace(/^ai_/, "").replace(/ies$/, "y").replace(/s$/, "")

/**
 * Returns an answer in which each generated id is replaced by the order in which it first appeared, and each time by a
 * text. The answers of two installations can then be compared.
 *
 * @param holder the field that has the value, or the group of the operation
 */
export const normalise = (names: Map<string, string>, value: Schema.Json, holder: string, key = ""): Schema.Json => {
  if (Array.isArray(value)) return value.map((item: Schema.Json) => normalise(names, item, key === "" ? holder : key))
  if (typeof value === "object" && value !== null) {
    if (isActorOrRecord(value))
      return { type: value.type, id: value.id === null ? null : nameOf(names, `${value.type} ${value.id}`) }
    if (isDeliveryRequest(value)) {
      // Ids and times are in the body, and make its signatures.
      const body = normalise(names, parseJson(value.body), "body", "body")
      return { url: nameOf(names, `url ${value.url}`), headers: Object.keys(value.headers), body }
    }
    if (isFieldChange(value) && ("before" in value || "after" in value)) {
      // The values of a change in the audit log are those of its field.
      const { after, before, field } = value
      const shown = (inner: Schema.Json) => normalise(names, inner, holder, field)
      return {
        field,
        ...(before !== undefined && { before: shown(before) }),
        ...(after !== undefined && { after: shown(after) })
      }
    }
    const within = key === "" ? holder : key
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, normalise(names, inner, within, name)])
    )
  }
  if (value === null || key === "") return value
  if (times.test(key) || key === "timestamp") return "a time"
  if (key === "csv") return rowsWithout(String(value), generatedColumns)
  if (!generated.test(key)) return value
  return nameOf(names, `${key === "id" ? kindOf(holder) : key} ${String(value)}`)
}

/** Returns the name of a generated value. */
const nameOf = (names: Map<string, string>, row: string): string => {
  const known = names.get(row) ?? `#${names.size + 1}`
  names.set(row, known)
  return known
}

const isFieldChange = Schema.is(FieldChange)

/** Returns whether a value is the request of a delivery. */
const isDeliveryRequest = Schema.is(
  Schema.Struct({ url: Schema.String, headers: Schema.Record(Schema.String, Schema.String), body: Schema.String })
)

const parseJson = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Json))

/** Returns whether a value is an actor or a record, as the audit log names it. */
const isActorOrRecord = Schema.is(
  Schema.Struct({ type: Schema.String, id: Schema.NullOr(Schema.String) }).annotate({
    parseOptions: { onExcessProperty: "error" }
  })
)
