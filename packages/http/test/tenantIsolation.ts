import { type StorageName, storages, textOf } from "./testApi.ts"
import type { Operation } from "@frontdesk/core/access/Permission"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  groupsOf,
  clientWithoutTeam,
  makeLinkedAccounts,
  allLinks,
  normalise,
  type AccountName,
  accountNames,
  type LinkedAccounts,
  type AccountPlan,
  accountPlans
} from "./linkedAccounts.ts"
import { absent, operate, operations, requests } from "./operationRequests.ts"
import type { Kind, Target } from "./operations/OperationRequest.ts"

/** One account executes an operation on records that earlier commands of any account have created. */
interface Command {
  readonly operation: Operation
  readonly account: AccountName
  /** The position of the record among those created so far, of each kind, modulo their number. */
  readonly row: number
  readonly n: number
}

const command = (operation: fc.Arbitrary<Operation>): fc.Arbitrary<Command> =>
  fc.record({ operation, account: fc.constantFrom(...accountNames), row: fc.nat(1_000), n: fc.nat(1_000) })

const making: ReadonlyArray<Operation> = [
  "contacts.create",
  "events.create",
  "variables.create",
  "webhooks.create",
  "calls.start",
  "webhooks.test",
  "apiKeys.create",
  "contactImports.create",
  "members.create",
  "signInLinks.create"
]

/** Draws commands that create some records, then every operation once, then any operations. */
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
  readonly account: AccountName
  readonly id: string
  /** The webhook of a delivery. */
  readonly webhook: string
}

/** The operations that show what an account has, besides lists. */
const alsoSeen: ReadonlySet<Operation> = new Set(["availability.find", "account.get"])

const groupOf = (operation: Operation): string => operation.slice(0, operation.indexOf("."))

/** Runs commands, and returns for each group the answers of its accounts, and what they see afterwards. */
const runScript = async (
  accounts: LinkedAccounts,
  script: ReadonlyArray<Command>,
  groups: ReadonlyArray<ReadonlyArray<AccountName>>
) => {
  // Has an entry for each command, so that the same command means the same record in every installation.
  const made: Array<Row | undefined> = []
  const recordings = groups.map((group) => ({
    group,
    transcript: new Array<unknown>(),
    // Ids are named by the order in which the group sees them.
    names: new Map<string, string>()
  }))

  const targetOf = ({ n, row, account }: Command, index: number): Target => {
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
    // Decided only by the script, because a record may exist in one installation and be absent in the other.
    const takesDelivery = n % 2 === 0 && placeOf("delivery") !== undefined
    const agentOf = accountNames[row % accountNames.length] ?? account
    return {
      n,
      agent: row % accountNames.length,
      teams: accounts.teams,
      ids: {
        agent: accounts.agents.get(agentOf) ?? absent.agent,
        contact: choose("contact")?.id ?? absent.contact,
        phoneNumber: absent.phoneNumber,
        event: choose("event")?.id ?? absent.event,
        call: choose("call")?.id ?? absent.call,
        variable: choose("variable")?.id ?? absent.variable,
        webhook: (takesDelivery ? delivery?.webhook : choose("webhook")?.id) ?? absent.webhook,
        delivery: delivery?.id ?? absent.delivery,
        apiKey: choose("apiKey")?.id ?? absent.apiKey,
        task: absent.task,
        contactImport: choose("contactImport")?.id ?? absent.contactImport,
        member: choose("member")?.id ?? absent.member,
        session: absent.session,
        link: choose("link")?.id ?? absent.link
      }
    }
  }

  for (const [index, step] of script.entries()) {
    const caller = accounts.callers.get(step.account)
    made.push(undefined)
    if (caller === undefined) continue
    const target = targetOf(step, index)
    const asked = requests[step.operation](target)
    const answer = await operate(caller, asked)
    if (asked.makes !== undefined && answer.status < 300) {
      const id = textOf(answer.json["id"] ?? answer.json["delivery_id"])
      made[index] = { kind: asked.makes, account: step.account, id, webhook: target.ids.webhook }
    }
    for (const { names, transcript } of recordings.filter(({ group }) => group.includes(step.account))) {
      const body =
        asked.path.endsWith("/ics") && answer.status === 200
          ? "a calendar"
          : normalise(names, answer.json, groupOf(step.operation))
      transcript.push([step.account, step.operation, answer.status, body, answer.headers.get("idempotent-replayed")])
    }
  }
  for (const { group, names, transcript } of recordings) {
    for (const account of group) {
      for (const operation of operations.filter((name) => name.endsWith(".list") || alsoSeen.has(name))) {
        const caller = accounts.callers.get(account)
        if (caller === undefined) continue
        const answer = await operate(
          caller,
          requests[operation]({ ids: absent, teams: accounts.teams, n: 1, agent: 0 })
        )
        transcript.push([account, operation, normalise(names, answer.json, groupOf(operation))])
      }
    }
  }
  return recordings.map(({ transcript }) => transcript)
}

/** Draws the plan with every link, or any plan. */
const plans: fc.Arbitrary<AccountPlan> = fc.oneof(fc.constant(allLinks), accountPlans)

/** A record that an account has created, and its team. */
interface Made {
  readonly read: "contacts.get" | "events.get" | "calls.get"
  readonly kind: "contact" | "event" | "call"
  readonly account: AccountName
  readonly team: number | null
  readonly id: string
}

/**
 * Creates for each account a contact and a calendar event, in one of its teams or in none, and a call with each agent
 * that the account sees.
 */
const makeRows = async (accounts: LinkedAccounts, plan: AccountPlan, seed: number): Promise<ReadonlyArray<Made>> => {
  const rows: Array<Made> = []
  for (const [index, account] of accountNames.entries()) {
    const caller = accounts.callers.get(account)
    if (caller === undefined) continue
    const teams = [null, ...caller.account.teamIds]
    const team = teams[(seed + index) % teams.length] ?? null
    const contact = await caller.post("/api/v1/contacts/create", { first_name: account, team_id: team })
    rows.push({ read: "contacts.get", kind: "contact", account, team, id: textOf(contact.json["id"]) })
    const event = await caller.post("/api/v1/calendar/events/create", {
      title: account,
      start_time: "2030-03-04T09:00:00Z",
      end_time: "2030-03-04T10:00:00Z",
      team_id: team
    })
    rows.push({ read: "events.get", kind: "event", account, team, id: textOf(event.json["id"]) })
    for (const [owner, agent] of accounts.agents) {
      const call = await caller.post("/api/v1/calls", { phone_number: "+12025550111", agent_id: Number(agent) })
      if (call.status !== 201) continue
      const agentTeam = plan.get(owner)?.agentTeam ?? null
      const shared = plan.get(account)?.teams.find((name) => name === agentTeam)
      const team = shared === undefined ? null : (accounts.teamIds.get(shared) ?? null)
      rows.push({ read: "calls.get", kind: "call", account, team, id: textOf(call.json["id"]) })
    }
  }
  return rows
}

const expectVisibility = async (
  accounts: LinkedAccounts,
  plan: AccountPlan,
  rows: ReadonlyArray<Made>
): Promise<void> => {
  for (const [account, caller] of accounts.callers) {
    for (const row of rows) {
      const target = { ids: { ...absent, [row.kind]: row.id }, teams: [], n: 1, agent: 0 }
      const isSeen = row.account === account || caller.account.teamIds.some((id) => id === row.team)
      const answer = await operate(caller, requests[row.read](target))
      expect([plan, row, account, answer.status]).toEqual([plan, row, account, isSeen ? 200 : 404])
      if (row.kind === "call" && !isSeen) {
        expect((await operate(caller, requests["calls.hangUp"](target))).status).toBe(404)
      }
    }
  }
}

/** The number of plans that are drawn on each storage. A plan needs an installation for each group and one more. */
export type Runs = { readonly [Name in StorageName]: number }

/** Defines the tests of isolation: no account reads, changes or observes a record of an unrelated account. */
export const tenantIsolation = (runs: Runs): void => {
  describe.each(storages)("law: the isolation of accounts (C-1-1, D-TEAM-1), on %s", (storage) => {
    it(
      "an account gets the same answers, and sees the same records, as in an installation without unrelated accounts",
      { timeout: 120_000 },
      async () => {
        await fc.assert(
          fc.asyncProperty(plans, commands, async (plan, script) => {
            const groups = groupsOf(plan).filter((group) => group.length < accountNames.length)
            const shared = await makeLinkedAccounts(storage, plan)
            const together = await runScript(shared, script, groups)
            await shared.api.close()
            for (const [index, group] of groups.entries()) {
              const own = await makeLinkedAccounts(storage, plan, group)
              const [alone] = await runScript(own, script, [group])
              await own.api.close()
              expect(together[index]).toEqual(alone)
            }
          }),
          { numRuns: runs[storage], plugins: [fc.interruptAfterTimeLimit(60_000)] }
        )
      }
    )

    it(
      "an account reads the records that it has created and those of its teams, and no others",
      { timeout: 120_000 },
      async () => {
        await fc.assert(
          fc.asyncProperty(accountPlans, fc.nat(1_000), async (plan, seed) => {
            const accounts = await makeLinkedAccounts(storage, plan)
            await expectVisibility(accounts, plan, await makeRows(accounts, plan, seed))
            await accounts.api.close()
          }),
          { numRuns: runs[storage], plugins: [fc.interruptAfterTimeLimit(60_000)], examples: [[clientWithoutTeam, 1]] }
        )
      }
    )
  })
}
