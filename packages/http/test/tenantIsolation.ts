import { type StorageName, storages, textOf } from "./world.ts"
import type { Operation } from "@frontdesk/core/access/Permission"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  absent,
  groupsOf,
  guest,
  type Kind,
  makeTown,
  neighbours,
  normalise,
  operate,
  operations,
  requests,
  type Target,
  type Tenant,
  tenants,
  type Town,
  type TownPlan,
  townPlans
} from "./tenancy.ts"

/** Somebody does something with rows that earlier commands made, whoever made them. */
interface Command {
  readonly operation: Operation
  readonly tenant: Tenant
  /** Which of the rows of each kind that were made so far, counted round. */
  readonly row: number
  readonly n: number
}

const command = (operation: fc.Arbitrary<Operation>): fc.Arbitrary<Command> =>
  fc.record({ operation, tenant: fc.constantFrom(...tenants), row: fc.nat(1_000), n: fc.nat(1_000) })

const making: ReadonlyArray<Operation> = [
  "contacts.create",
  "events.create",
  "variables.create",
  "webhooks.create",
  "calls.start",
  "webhooks.test"
]

/** Some rows, then every operation at least once, then anything. */
const commands: fc.Arbitrary<ReadonlyArray<Command>> = fc
  .tuple(
    fc.array(command(fc.constantFrom(...making)), { minLength: 15, maxLength: 30 }),
    fc
      .shuffledSubarray([...operations], { minLength: operations.length })
      .chain((all) => fc.tuple(...all.map((operation) => command(fc.constant(operation))))),
    fc.array(command(fc.constantFrom(...operations)), { maxLength: 30 })
  )
  .map((parts) => parts.flat())

interface Row {
  readonly kind: Kind
  readonly tenant: Tenant
  readonly id: string
  /** The webhook of a delivery. */
  readonly webhook: string
}

const groupOf = (operation: Operation): string => operation.slice(0, operation.indexOf("."))

/** What the tenants who live in a town are answered, and what they then see, with ids named in order. */
const play = async (town: Town, script: ReadonlyArray<Command>, group: ReadonlyArray<Tenant>) => {
  // One place for each command, so that the same command means the same row in every town.
  const made: Array<Row | undefined> = []
  const transcript: Array<unknown> = []
  const seen = new Map<string, string>()

  const targetOf = ({ n, row, tenant }: Command, index: number): Target => {
    const placeOf = (kind: Kind): number | undefined => {
      const places = script
        .slice(0, index)
        .flatMap(({ operation }, place) =>
          requests[operation]({ ids: absent, teams: [], n: 0, agent: 0 }).makes === kind ? [place] : []
        )
      return places[row % Math.max(1, places.length)]
    }
    const choose = (kind: Kind): Row | undefined => made[placeOf(kind) ?? -1]
    const delivery = choose("delivery")
    // Decided by the script alone: whether the row is there differs from town to town.
    const takesDelivery = n % 2 === 0 && placeOf("delivery") !== undefined
    const agentOf = tenants[row % tenants.length] ?? tenant
    return {
      n,
      agent: row % tenants.length,
      teams: town.teams,
      ids: {
        agent: town.agents.get(agentOf) ?? absent.agent,
        contact: choose("contact")?.id ?? absent.contact,
        event: choose("event")?.id ?? absent.event,
        call: choose("call")?.id ?? absent.call,
        variable: choose("variable")?.id ?? absent.variable,
        webhook: (takesDelivery ? delivery?.webhook : choose("webhook")?.id) ?? absent.webhook,
        delivery: delivery?.id ?? absent.delivery
      }
    }
  }

  for (const [index, step] of script.entries()) {
    const caller = town.callers.get(step.tenant)
    made.push(undefined)
    if (caller === undefined) continue
    const target = targetOf(step, index)
    const asked = requests[step.operation](target)
    const answer = await operate(caller, asked)
    if (asked.makes !== undefined && answer.status < 300) {
      const id = textOf(answer.json["id"] ?? answer.json["delivery_id"])
      made[index] = { kind: asked.makes, tenant: step.tenant, id, webhook: target.ids.webhook }
    }
    if (group.includes(step.tenant)) {
      const body =
        asked.path.endsWith("/ics") && answer.status === 200
          ? "a calendar"
          : normalise(seen, answer.json, groupOf(step.operation))
      transcript.push([step.tenant, step.operation, answer.status, body, answer.headers.get("idempotent-replayed")])
    }
  }
  for (const tenant of group) {
    for (const operation of operations.filter((name) => name.endsWith(".list") || name === "availability.find")) {
      const caller = town.callers.get(tenant)
      if (caller === undefined) continue
      const answer = await operate(caller, requests[operation]({ ids: absent, teams: town.teams, n: 1, agent: 0 }))
      transcript.push([tenant, operation, normalise(seen, answer.json, groupOf(operation))])
    }
  }
  return transcript
}

/** The town that has every kind of neighbour, or any. */
const plans: fc.Arbitrary<TownPlan> = fc.oneof(fc.constant(neighbours), townPlans)

/** A row that a tenant made, and the teams that its maker gave it to. */
interface Made {
  readonly read: "contacts.get" | "events.get" | "calls.get"
  readonly kind: "contact" | "event" | "call"
  readonly tenant: Tenant
  readonly team: number | null
  readonly id: string
}

/** A contact, an event and a call of each tenant with each agent it sees, in a team of its own or in none. */
const makeRows = async (town: Town, plan: TownPlan, seed: number): Promise<ReadonlyArray<Made>> => {
  const rows: Array<Made> = []
  for (const [index, tenant] of tenants.entries()) {
    const caller = town.callers.get(tenant)
    if (caller === undefined) continue
    const teams = [null, ...caller.account.teamIds]
    const team = teams[(seed + index) % teams.length] ?? null
    const contact = await caller.post("/api/v1/contacts/create", { first_name: tenant, team_id: team })
    rows.push({ read: "contacts.get", kind: "contact", tenant, team, id: textOf(contact.json["id"]) })
    const event = await caller.post("/api/v1/calendar/events/create", {
      title: tenant,
      start_time: "2030-03-04T09:00:00Z",
      end_time: "2030-03-04T10:00:00Z",
      team_id: team
    })
    rows.push({ read: "events.get", kind: "event", tenant, team, id: textOf(event.json["id"]) })
    for (const [owner, agent] of town.agents) {
      const call = await caller.post("/api/v1/calls", { phone_number: "+12025550111", agent_id: Number(agent) })
      if (call.status !== 201) continue
      const agentTeam = plan.get(owner)?.agentTeam ?? null
      const shared = plan.get(tenant)?.teams.find((name) => name === agentTeam)
      const team = shared === undefined ? null : (town.teamIds.get(shared) ?? null)
      rows.push({ read: "calls.get", kind: "call", tenant, team, id: textOf(call.json["id"]) })
    }
  }
  return rows
}

const expectSight = async (town: Town, plan: TownPlan, rows: ReadonlyArray<Made>): Promise<void> => {
  for (const [tenant, caller] of town.callers) {
    for (const row of rows) {
      const target = { ids: { ...absent, [row.kind]: row.id }, teams: [], n: 1, agent: 0 }
      const isSeen = row.tenant === tenant || caller.account.teamIds.some((id) => id === row.team)
      const answer = await operate(caller, requests[row.read](target))
      expect([plan, row, tenant, answer.status]).toEqual([plan, row, tenant, isSeen ? 200 : 404])
      if (row.kind === "call" && !isSeen) {
        expect((await operate(caller, requests["calls.hangUp"](target))).status).toBe(404)
      }
    }
  }
}

/** How many towns are drawn on each storage. A town in PostgreSQL is a database, and each script takes up to six. */
export type Runs = { readonly [Name in StorageName]: number }

/** Checks the tenant law: no account reads, changes or observes the row of another. */
export const tenantIsolation = (runs: Runs): void => {
  describe.each(storages)(
    "the tenant law: no account reads, changes or observes another's row (C-1-1, D-TEAM-1), on %s",
    (storage) => {
      it(
        "every answer, and everything seen afterwards, is as if the others did not exist",
        { timeout: 120_000 },
        async () => {
          await fc.assert(
            fc.asyncProperty(plans, commands, async (plan, script) => {
              for (const group of groupsOf(plan).filter((group) => group.length < tenants.length)) {
                const [shared, own] = [await makeTown(storage, plan), await makeTown(storage, plan, group)]
                const together = await play(shared, script, group)
                const alone = await play(own, script, group)
                await shared.world.close()
                await own.world.close()
                expect(together).toEqual(alone)
              }
            }),
            { numRuns: runs[storage], plugins: [fc.interruptAfterTimeLimit(60_000)] }
          )
        }
      )

      it(
        "a tenant reads what it made and what its maker gave to a team of the tenant, and nothing else",
        { timeout: 120_000 },
        async () => {
          await fc.assert(
            fc.asyncProperty(townPlans, fc.nat(1_000), async (plan, seed) => {
              const town = await makeTown(storage, plan)
              await expectSight(town, plan, await makeRows(town, plan, seed))
              await town.world.close()
            }),
            { numRuns: runs[storage], plugins: [fc.interruptAfterTimeLimit(60_000)], examples: [[guest, 1]] }
          )
        }
      )
    }
  )
}
