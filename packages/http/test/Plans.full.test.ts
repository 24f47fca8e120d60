import { PostgresStorage } from "@frontdesk/storage-postgres"
import * as Explain from "@frontdesk/test-postgres/Explain"
import * as LargeTables from "@frontdesk/test-postgres/LargeTables"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import { MaxCachedKeys } from "@frontdesk/core/access/AccessCache"
import { makeAgent, makeTeam } from "@frontdesk/testing/suite/Samples"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import * as Statement from "effect/sql/Statement"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { requestEveryOperation } from "./everyOperation.ts"
import { absent } from "./operationRequests.ts"
import type { Target } from "./operations/OperationRequest.ts"
import { type Caller, makeTestApi, rowsOf, textOf, type TestApi } from "./testApi.ts"

/** The number of contacts, calls, calendar events and deliveries of the caller's account. */
const rows = 50_000

/** The statements that were executed since it was cleared, with their parameters. */
const ran = new Map<string, ReadonlyArray<unknown>>()

const watched = Layer.succeed(Statement.CurrentTransformer, (statement) => {
  const [text, params] = statement.compile()
  if (/^(SELECT|INSERT|UPDATE|DELETE|WITH)/.test(text)) ran.set(text, params)
  return Effect.succeed(statement)
})

const week = "start_date=2025-03-03&end_date=2025-03-09"

describe("query plans in a PostgreSQL database with large tables", () => {
  const scope = Scope.makeUnsafe()
  const inScope = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) =>
    Effect.runPromise(Effect.provideService(effect, Scope.Scope, scope))
  let api: TestApi
  let caller: Caller
  let sql: SqlClient.SqlClient
  let ids: Target["ids"] = absent
  let teamId = 0

  const withSql = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
    Effect.runPromise(Effect.provideService(effect, SqlClient.SqlClient, sql))

  beforeAll(async () => {
    const url = Redacted.make(await inScope(TestDatabase.make))
    const storage = Layer.orDie(PostgresStorage.layer({ url, maxConnections: 4 }))
    // Without the cache of API keys, so that each request runs the statement that reads its key.
    api = await makeTestApi(Layer.mergeAll(storage, watched, Layer.succeed(MaxCachedKeys, 0)))
    const client = PostgresStorage.layerClient({ url, maxConnections: 1, statementTimeout: Duration.infinity })
    sql = Context.get(await inScope(Layer.build(client)), SqlClient.SqlClient)
    const [team, other] = [await api.run(makeTeam()), await api.run(makeTeam())]
    teamId = team.id
    caller = await api.caller({ balance: 100, teamIds: [team.id, other.id] })
    const accountId = caller.account.id
    const agent = await api.run(makeAgent(accountId))
    await withSql(LargeTables.grow({ accountId, teamId, agentId: agent.id }, rows))
    const first = async (path: string, name: string) =>
      textOf(rowsOf(await caller.get(`/api/v1/${path}`), name)[0]?.["id"])
    const webhook = await first("webhooks", "webhooks")
    const contact = await first("contacts", "contacts")
    ids = {
      agent: String(agent.id),
      contact,
      phoneNumber: await first(`contacts/${contact}`, "phone_numbers"),
      event: await first("calendar/events", "events"),
      call: await first("calls", "calls"),
      variable: await first("context-variables", "variables"),
      webhook,
      delivery: await first(`webhooks/${webhook}/deliveries`, "deliveries"),
      apiKey: await first("api-keys", "api_keys"),
      task: absent.task,
      contactImport: await first("contact-imports", "imports"),
      member: await first("members", "members"),
      session: await first("sessions", "sessions"),
      link: await first("dashboard/links", "links")
    }
  }, 120_000)

  afterAll(async () => {
    await api.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  /**
   * Returns the tables and rows that the statements of a request read, planned with their parameters and generically.
   */
  const reads = async (path: string) => {
    ran.clear()
    const answer = await caller.get(`/api/v1/${path}`)
    expect([path, answer.status]).toEqual([path, 200])
    const seen: Array<{ readonly text: string; readonly scanned: ReadonlyArray<string>; readonly rows: number }> = []
    for (const [text, params] of ran) {
      if (!text.startsWith("SELECT")) continue
      const steps = await withSql(Explain.analysed(text, params))
      const generic = await withSql(Explain.generic(text, params))
      seen.push({ text, scanned: Explain.scanned([...steps, ...generic]), rows: Explain.rowsRead(steps) })
    }
    expect(seen.length).toBeGreaterThan(1)
    return seen
  }

  // A name in braces stands for the id of a record. `team` and `agent` have thousands of rows.
  it.each([
    "agents",
    "calls",
    "calls?page=2&limit=100",
    "calls?status=failed",
    "calls?type=outbound",
    "calls?contact_id={contact}",
    "calls?phone_number=%2B12020000500",
    `calls?${week}`,
    `calls?status=failed&${week}`,
    `calls?agent_id={agent}&${week}`,
    "calls/{call}",
    "calls/large_777",
    "calls/{call}/deliveries",
    "contacts",
    "contacts?page=2&limit=100",
    "contacts?status=won",
    "contacts?stage=lead",
    "contacts?tag=tag%207",
    "contacts?tag=tag%207&status=won",
    "contacts?phone_number=%2B12020000500",
    "contacts?team_id={team}",
    "contacts/{contact}",
    "contact-imports",
    "contact-imports/{contactImport}",
    "contact-imports/{contactImport}/refused",
    "contacts/export?after={contact}",
    "do-not-call?phone_number=%2B12020000500",
    "context-variables",
    "context-variables?context_type=business",
    "calendar/events",
    "calendar/events?page=2&limit=100",
    "calendar/events?status=cancelled",
    "calendar/events?event_type=meeting",
    "calendar/events?team_id={team}",
    "calendar/events?customer_email=Jo7%40example.com",
    `calendar/events?${week}`,
    `calendar/events?overlapping=true&${week}`,
    `calendar/events?overlapping=true&status=cancelled&${week}`,
    "calendar/events?contact_id={contact}",
    `calendar/events?contact_id={contact}&${week}`,
    `calendar/events?status=cancelled&${week}`,
    `calendar/events?ai_agent_id={agent}&${week}`,
    "calendar/events/{event}",
    "calendar/events/{event}/deliveries",
    `calendar/availability?${week}`,
    "webhooks",
    "webhooks/{webhook}",
    "webhooks/{webhook}/deliveries?status=failed",
    "webhooks/{webhook}/deliveries/{delivery}",
    "api-keys",
    "api-keys/{apiKey}",
    "account",
    "account/balance",
    "account/movements?kind=deposit",
    "account/movements?call_id=large_777",
    `account/movements?${week}`,
    `account/movements?kind=settlement&${week}`,
    `account/movements?kind=settlement&call_id=large_777&${week}`,
    "audit",
    "audit?limit=500",
    "audit?entity_type=contact&entity_id=777",
    "audit?actor_type=api_key&actor_id=large%2077",
    "audit?operation=agents.patch",
    `audit?${week}`,
    `audit?entity_type=contact&entity_id=777&operation=contacts.patch&${week}`,
    "audit?cursor=1741000000000-1"
  ])("GET %s reads at most 1,000 rows in each statement, and scans no table", async (path) => {
    for (const { rows, scanned, text } of await reads(named(path))) {
      expect({ text, scanned }).toEqual({ text, scanned: [] })
      expect({ text, rows, isMany: rows > 1_000 }).toEqual({ text, rows, isMany: false })
    }
  })

  // These lists have no stored count, so their rows are counted. For a team, each row of another account is checked.
  it.each([
    "calls?agent_id={agent}",
    "do-not-call",
    "do-not-call?page=50&limit=100",
    "calendar/events?ai_agent_id={agent}",
    "calendar/events?overlapping=true&start_date=2027-01-01",
    "webhooks/{webhook}/deliveries",
    "statistics?start_date=2024-01-01&end_date=2024-01-31",
    "statistics?start_date=2024-01-01&end_date=2024-01-31&agent_id={agent}",
    "account/movements",
    "account/movements?kind=settlement",
    "account/movements?page=100&limit=100",
    "audit?entity_type=contact",
    "audit?entity_type=agent",
    "audit?actor_type=worker"
  ])("GET %s counts its rows in indexes, and scans no table", async (path) => {
    for (const { rows: read, scanned, text } of await reads(named(path))) {
      expect({ text, scanned }).toEqual({ text, scanned: [] })
      expect({ text, read, isAll: read > rows / 2 }).toEqual({ text, read, isAll: false })
    }
  })

  it("a search reads only the contacts of the account, and scans no other table (D-PG-14)", async () => {
    for (const { rows: read, scanned } of await reads("contacts?search=jo777%40")) {
      expect(scanned.filter((table) => table !== "contact")).toEqual([])
      expect(read).toBeLessThan(1.5 * rows)
    }
  })

  it(
    "no statement of any operation scans a table, except searches of contacts and reads of the few secrets",
    { timeout: 120_000 },
    async () => {
      ran.clear()
      await requestEveryOperation(caller, ids, teamId)
      expect(ran.size).toBeGreaterThan(60)
      for (const [text, params] of ran) {
        const steps = await withSql(Explain.planned(text, params))
        const generic = await withSql(Explain.generic(text, params))
        // A search reads all contacts of an account. The tables of the installation and of its secrets have a few rows.
        const allowed = text.includes("strpos(search_text") ? ["contact"] : ["installation", "installation_secret"]
        const scanned = Explain.scanned([...steps, ...generic]).filter((table) => !allowed.includes(table))
        expect({ text, scanned }).toEqual({ text, scanned: [] })
      }
    }
  )

  const named = (path: string): string =>
    path.replaceAll(/\{(\w+)\}/g, (_, kind: string) => {
      const known: Readonly<Record<string, string>> = { ...ids, team: String(teamId) }
      return known[kind] ?? ""
    })
})
