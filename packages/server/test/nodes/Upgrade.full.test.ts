import { PostgresStorage } from "@frontdesk/storage-postgres"
import * as MigrationRunner from "@frontdesk/storage-sql/migrations/MigrationRunner"
import * as Receiver from "@frontdesk/testing/receiver/Receiver"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { tmpdir } from "node:os"
import { describe, expect, it } from "vitest"
import { command } from "../support/command.ts"
import * as Load from "./Load.ts"
import * as Nodes from "./Nodes.ts"

/** Changes that a migration within a major version may make: columns that inserts may omit, an index, a new table. */
const additions = Effect.gen(function* () {
  const sql = yield* SqlClient
  for (const table of ["contact", "calendar_event", "webhook_delivery"]) {
    yield* sql`ALTER TABLE ${sql(table)} ADD COLUMN later text, ADD COLUMN later_count integer NOT NULL DEFAULT 7`
    yield* sql`CREATE INDEX ON ${sql(table)} (later)`
  }
  yield* sql`CREATE TABLE later (account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE)`
})

/** Migrates the database of current nodes as a newer version would. */
const upgrade = (url: string) =>
  MigrationRunner.run({
    "0001_initial": Effect.die("This migration has already been applied"),
    "9999_later": additions
  }).pipe(Effect.provide(PostgresStorage.layerMigrator({ url: Redacted.make(url) })), Effect.runPromise)

const Id = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ id: Schema.Int })))

/** Uses contacts, calendar events, variables and webhooks through a node, and lists the rest. Throws at an error. */
const useApi = async (node: Nodes.Node): Promise<void> => {
  const ask = async (method: string, path: string, body?: unknown) =>
    Nodes.expectOk(await node.ask(method, `/api/v1/${path}`, body))
  const contact = Id((await ask("POST", "contacts/create", { first_name: "Jo", tags: ["new"] })).body).id
  await ask("PATCH", `contacts/${contact}/update`, { last_name: "Doe" })
  await ask("GET", `contacts/${contact}`)
  await ask("GET", "contacts?search=jo")
  const event = Id(
    (await ask("POST", "calendar/events/create", Nodes.meeting(crypto.randomUUID(), { contact_id: contact }))).body
  ).id
  await ask("PATCH", `calendar/events/${event}/update`, { description: "Used" })
  await ask("GET", "calendar/events?start_date=2040-01-01&end_date=2040-01-08")
  await ask("GET", "calendar/availability?start_date=2040-01-02&end_date=2040-01-03")
  await ask("POST", `calendar/events/${event}/cancel`)
  await ask("POST", "business/context", { variables: { used: 1 }, auto_create_variables: true })
  await ask("GET", "context-variables")
  const webhook = await Nodes.subscribe(node, "http://127.0.0.1:9/", "call.ended")
  await ask("PATCH", `webhooks/${webhook}/update`, { name: "used" })
  await ask("GET", `webhooks/${webhook}/deliveries`)
  await ask("POST", `webhooks/${webhook}/delete`)
  for (const list of ["webhooks", "calls", "agents"]) await ask("GET", list)
}

describe("a migration by a newer version", () => {
  it("does not disturb older nodes, which keep unknown columns unchanged and can be started again", async () => {
    await using receiver = await Receiver.open()
    await using nodes = await Nodes.open()
    const all = [await nodes.start(), await nodes.start()]
    const [first, second] = all
    if (first === undefined || second === undefined) return
    await Nodes.subscribe(first, receiver.url, "calendar.created")
    const { sent, expectStored, more, stop } = Load.start(all)
    // Twice, so that the statements are prepared on the connections before the migration.
    for (const _ of Nodes.range(2)) await Promise.all(all.map(useApi))
    await more(50)
    expect(await upgrade(nodes.database.url)).toEqual([[9999, "later"]])
    await more(50)
    for (const _ of Nodes.range(2)) await Promise.all(all.map(useApi))
    await stop()
    expect(new Set(sent.map(({ result }) => result))).toEqual(new Set(["201"]))

    const created = Nodes.expectOk(await first.ask("POST", "/api/v1/contacts/create", { first_name: "Jo" }))
    const { id } = Id(created.body)
    await nodes.database.rows(`UPDATE contact SET later = 'kept', later_count = 8 WHERE id = ${id} RETURNING id`)
    Nodes.expectOk(await first.ask("PATCH", `/api/v1/contacts/${id}/update`, { last_name: "Doe" }))
    expect(await nodes.database.rows(`SELECT last_name, later, later_count FROM contact WHERE id = ${id}`)).toEqual([
      { last_name: "Doe", later: "kept", later_count: 8 }
    ])

    second.stop()
    expect(await second.ended).toEqual({ code: 0, signal: null })
    const again = await nodes.start()
    await useApi(again)
    const older = (...args: ReadonlyArray<string>) =>
      command(tmpdir(), args, { FRONTDESK_DATABASE_URL: nodes.database.url })
    expect(await older("migrate")).toEqual({
      code: 0,
      stdout: "The database already has the current schema",
      stderr: ""
    })
    expect(await older("accounts", "list")).toMatchObject({ code: 0, stderr: "" })
    await expectStored(nodes)
    await Nodes.until(
      () => Nodes.count(nodes, "SELECT 1 FROM webhook_delivery WHERE due_at IS NOT NULL"),
      (count) => count === 0
    )
  }, 180_000)
})
