import type { AccountRole } from "@frontdesk/core/access/Account"
import { type Operation, permissions } from "@frontdesk/core/access/Permission"
import type { TeamId } from "@frontdesk/core/access/Team"
import { makeAgent, makeTeam } from "@frontdesk/testing/suite/Samples"
import type * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { type TestAnswer, type Caller, makeTestApi, type StorageName, type TestApi } from "./testApi.ts"

/** A kind of record that a path or a body names by an id. */
export type Kind = "agent" | "contact" | "event" | "call" | "variable" | "webhook" | "delivery"

/** Ids that no record has. */
export const absent: { readonly [K in Kind]: string } = {
  agent: "9007199254740991",
  contact: "9007199254740991",
  event: "9007199254740991",
  call: "9007199254740991",
  variable: "9007199254740991",
  webhook: "9007199254740991",
  delivery: "0198c2f0-0000-7000-8000-000000000000"
}

/** The values from which a request is made. */
export interface Target {
  readonly ids: { readonly [K in Kind]: string }
  readonly teams: ReadonlyArray<number>
  /** A number that makes the requests of an operation differ. */
  readonly n: number
  /** The position of the agent among all agents. Unlike its id, it is the same in every installation. */
  readonly agent: number
}

/** A request of an operation. */
export interface OperationRequest {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly key?: string
  /** The kind of record that it creates. The answer has its id. */
  readonly makes?: Kind
  /** The kinds of records in its path. For a record that the caller cannot see, the answer is that of an absent id. */
  readonly names?: ReadonlyArray<Kind>
}

const v1 = "/api/v1"
const hour = (n: number) => String(9 + (n % 4)).padStart(2, "0")

const team = ({ n, teams }: Target) => (n % 3 === 0 ? null : teams[n % teams.length])

const contact = (target: Target) => ({
  first_name: `Jo ${target.n}`,
  team_id: team(target),
  phone_numbers: [{ phone_number: `+1202555010${target.n % 3}`, do_not_call: target.n % 5 === 0 }]
})

const event = (target: Target) => ({
  title: `Event ${target.n}`,
  start_time: `2030-03-04T${hour(target.n)}:00:00Z`,
  end_time: `2030-03-04T${hour(target.n)}:30:00Z`,
  reject_conflicts: target.n % 2 === 0,
  team_id: team(target),
  ...(target.n % 4 === 0 ? { ai_agent_id: Number(target.ids.agent) } : {})
})

const webhook = {
  name: "Hook",
  url: "https://hooks.example.com",
  subscribed_events: ["calendar.created", "call.ended"]
}

/** Returns a request of each operation. A missing operation does not compile. */
export const requests: { readonly [Op in Operation]: (target: Target) => OperationRequest } = {
  "agents.list": () => ({ method: "GET", path: `${v1}/agents` }),
  "agents.get": ({ ids }) => ({ method: "GET", path: `${v1}/agents/${ids.agent}`, names: ["agent"] }),
  "calls.start": ({ agent, ids, n }) => ({
    method: "POST",
    path: `${v1}/calls`,
    body: {
      phone_number: `+1202555010${n % 3}`,
      agent_id: Number(ids.agent),
      ...(n % 2 === 0 ? {} : { contact_id: Number(ids.contact) })
    },
    // The key contains the position of the agent. Agents have other ids in another installation, so without the position one
    // installation could see another body under the same key and the other installation not.
    ...(n % 2 === 0 ? { key: `key${n % 6}.${agent}` } : {}),
    makes: "call"
  }),
  "calls.get": ({ ids }) => ({ method: "GET", path: `${v1}/calls/${ids.call}`, names: ["call"] }),
  "calls.hangUp": ({ ids, n }) => ({
    method: "POST",
    path: `${v1}/calls/${ids.call}/hang-up`,
    names: ["call"],
    ...(n % 2 === 0 ? { key: `hangup${n % 3}` } : {})
  }),
  "calls.list": ({ ids, n }) => ({ method: "GET", path: `${v1}/calls${n % 2 ? "" : `?agent_id=${ids.agent}`}` }),
  "contacts.create": (target) => ({
    method: "POST",
    path: `${v1}/contacts/create`,
    body: contact(target),
    key: `key${target.n % 3}`,
    makes: "contact"
  }),
  "contacts.list": ({ n }) => ({ method: "GET", path: `${v1}/contacts${n % 2 ? "" : "?search=jo"}` }),
  "contacts.get": ({ ids }) => ({ method: "GET", path: `${v1}/contacts/${ids.contact}`, names: ["contact"] }),
  "contacts.put": (target) => ({
    method: "PUT",
    path: `${v1}/contacts/${target.ids.contact}/update`,
    body: contact(target),
    names: ["contact"]
  }),
  "contacts.patch": (target) => ({
    method: "PATCH",
    path: `${v1}/contacts/${target.ids.contact}/update`,
    body: { city: `City ${target.n}`, custom_context: { n: target.n } },
    names: ["contact"]
  }),
  "contacts.delete": ({ ids }) => ({
    method: "DELETE",
    path: `${v1}/contacts/${ids.contact}/delete`,
    names: ["contact"]
  }),
  "variables.list": ({ n }) => ({
    method: "GET",
    path: `${v1}/context-variables${n % 2 ? "" : "?context_type=business"}`
  }),
  "variables.create": (target) => ({
    method: "POST",
    path: `${v1}/context-variables/create`,
    body: {
      name: `v_${target.n % 4}`,
      display_name: "V",
      variable_type: "text",
      context_type: target.n % 2 ? "contact" : "business",
      team_id: team(target)
    },
    makes: "variable"
  }),
  "variables.put": ({ ids, n }) => ({
    method: "PUT",
    path: `${v1}/context-variables/${ids.variable}/update`,
    body: { display_name: `V ${n}` },
    names: ["variable"]
  }),
  "variables.patch": ({ ids, n }) => ({
    method: "PATCH",
    path: `${v1}/context-variables/${ids.variable}/update`,
    body: { description: `V ${n}` },
    names: ["variable"]
  }),
  "variables.delete": ({ ids }) => ({
    method: "DELETE",
    path: `${v1}/context-variables/${ids.variable}/delete`,
    names: ["variable"]
  }),
  "business.get": () => ({ method: "GET", path: `${v1}/business/context` }),
  "business.set": ({ n }) => ({
    method: "POST",
    path: `${v1}/business/context`,
    body: { variables: { [`v_${n % 4}`]: "x", company_name: `Acme ${n}` }, auto_create_variables: n % 2 === 0 }
  }),
  "events.list": ({ n }) => ({ method: "GET", path: `${v1}/calendar/events${n % 2 ? "" : "?status=scheduled"}` }),
  "events.get": ({ ids }) => ({ method: "GET", path: `${v1}/calendar/events/${ids.event}`, names: ["event"] }),
  "events.ics": ({ ids }) => ({ method: "GET", path: `${v1}/calendar/events/${ids.event}/ics`, names: ["event"] }),
  "events.create": (target) => ({
    method: "POST",
    path: `${v1}/calendar/events/create`,
    body: event(target),
    key: `key${target.n % 5}.${target.agent}`,
    makes: "event"
  }),
  "events.put": (target) => ({
    method: "PUT",
    path: `${v1}/calendar/events/${target.ids.event}/update`,
    body: event(target),
    names: ["event"]
  }),
  "events.patch": ({ ids, n }) => ({
    method: "PATCH",
    path: `${v1}/calendar/events/${ids.event}/update`,
    body: { title: `New ${n}` },
    names: ["event"]
  }),
  "events.cancel": ({ ids, n }) => ({
    method: "POST",
    path: `${v1}/calendar/events/${ids.event}/cancel`,
    body: { reason: `Reason ${n}` },
    names: ["event"]
  }),
  "events.resolveCopy": ({ ids }) => ({
    method: "POST",
    path: `${v1}/calendar/events/${ids.event}/external-calendars/google/resolve`,
    body: { resolution: "overwrite" },
    names: ["event"]
  }),
  "availability.find": () => ({
    method: "GET",
    path: `${v1}/calendar/availability?start_date=2030-03-04&end_date=2030-03-04`
  }),
  "webhooks.create": () => ({ method: "POST", path: `${v1}/webhooks/create`, body: webhook, makes: "webhook" }),
  "webhooks.list": () => ({ method: "GET", path: `${v1}/webhooks` }),
  "webhooks.get": ({ ids }) => ({ method: "GET", path: `${v1}/webhooks/${ids.webhook}`, names: ["webhook"] }),
  "webhooks.put": ({ ids, n }) => ({
    method: "PUT",
    path: `${v1}/webhooks/${ids.webhook}/update`,
    body: { ...webhook, name: `Hook ${n}` },
    names: ["webhook"]
  }),
  "webhooks.patch": ({ ids, n }) => ({
    method: "PATCH",
    path: `${v1}/webhooks/${ids.webhook}/update`,
    body: { is_active: n % 2 === 0 },
    names: ["webhook"]
  }),
  "webhooks.delete": ({ ids }) => ({
    method: "POST",
    path: `${v1}/webhooks/${ids.webhook}/delete`,
    names: ["webhook"]
  }),
  "webhooks.rotateSecret": ({ ids }) => ({
    method: "POST",
    path: `${v1}/webhooks/${ids.webhook}/rotate-secret`,
    names: ["webhook"]
  }),
  "webhooks.test": ({ ids }) => ({
    method: "POST",
    path: `${v1}/webhooks/${ids.webhook}/test`,
    makes: "delivery",
    names: ["webhook"]
  }),
  "webhooks.deliveries": ({ ids }) => ({
    method: "GET",
    path: `${v1}/webhooks/${ids.webhook}/deliveries`,
    names: ["webhook"]
  }),
  "webhooks.redeliver": ({ ids }) => ({
    method: "POST",
    path: `${v1}/webhooks/${ids.webhook}/deliveries/${ids.delivery}/redeliver`,
    names: ["webhook", "delivery"]
  })
}

const isOperation = (name: string): name is Operation => name in requests

/** All operations of the table of permissions. */
export const operations: ReadonlyArray<Operation> = Object.keys(permissions).filter(isOperation)

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

/** Every link: two accounts that share a team and its agent, one without links, a partner and its client with a team. */
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

/** Draws accounts with teams, partners, clients, and agents of any team. A client without an earlier partner is standard. */
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

/** Returns whether one account may see a record of the other: through a team, as partner and client, or through an agent. */
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

/** Returns groups of accounts. Accounts of different groups cannot see records of each other, also not through a third. */
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
 * Makes an installation with the given accounts of a plan. It always has all teams, because the existence of a team is not
 * secret (D-TEAM-2).
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

/** Sends the request of an operation. */
export const operate = (caller: Caller, { body, key, method, path }: OperationRequest): Promise<TestAnswer> =>
  caller.ask(path, { method, body, ...(key === undefined ? {} : { headers: { "idempotency-key": key } }) })

const generated = /^(?:id|.*_id|uuid|secret|ics_url)$/
const times = /^(?:created|updated|next_attempt|last_delivery)_at$/

// Returns the kind of record to which an `id` belongs, from the field or the group around it: "ai_agent" and "agents" are
// both agents.
const kindOf = (holder: string): string => holder.replace(/^ai_/, "").replace(/ies$/, "y").replace(/s$/, "")

/**
 * Returns an answer in which each generated id is replaced by the order in which it first appeared, and each time by a text.
 * The answers of two installations can then be compared.
 *
 * @param holder the field that has the value, or the group of the operation
 */
export const normalise = (names: Map<string, string>, value: Schema.Json, holder: string, key = ""): Schema.Json => {
  if (Array.isArray(value)) return value.map((item: Schema.Json) => normalise(names, item, key === "" ? holder : key))
  if (typeof value === "object" && value !== null) {
    const within = key === "" ? holder : key
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, normalise(names, inner, within, name)])
    )
  }
  if (value === null || key === "") return value
  if (times.test(key)) return "a time"
  if (!generated.test(key)) return value
  const row = `${key === "id" ? kindOf(holder) : key} ${String(value)}`
  const known = names.get(row) ?? `#${names.size + 1}`
  names.set(row, known)
  return known
}
