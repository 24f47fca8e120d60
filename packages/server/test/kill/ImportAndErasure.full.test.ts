import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { acme, ask } from "../support/acme.ts"
import * as AsProcess from "../support/asProcess.ts"
import { provision } from "../support/launch.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"

const decodeObject = Schema.decodeUnknownSync(Schema.Record(Schema.String, Schema.Unknown))

const lines = 600

/** A contact that is erased, and 40 calls and 20 calendar events about it. */
const person = { first_name: "Marker-Erased", phone_numbers: [{ phone_number: "+12025550173", primary: true }] }
const [callCount, eventCount] = [40, 20]

const storages = { SQLite: null, PostgreSQL: TestDatabase.make }

describe.each(["SQLite", "PostgreSQL"] as const)("a server on %s that is killed again and again", (storage) => {
  const scope = Effect.runSync(Scope.make())
  let folder: string
  let settings: Readonly<Record<string, string>>
  let server: AsProcess.Server

  beforeAll(async () => {
    const database = storages[storage]
    settings = {
      FRONTDESK_RATE_LIMIT: "off",
      FRONTDESK_SIMULATED_CALL_PACE: "0",
      ...(database !== null && { FRONTDESK_DATABASE_URL: await Effect.runPromise(Scope.provide(database, scope)) })
    }
    folder = temporaryFolder()
    await provision(folder, acme, settings)
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  const start = async () => {
    server = await AsProcess.serve(folder, { settings })
  }
  const kill = () => server.stop("SIGKILL")

  const json = async (path: string, body?: unknown): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await ask(server.url, `/api/v1${path}`, body)
    expect([path, answer.status < 300]).toEqual([path, true])
    return decodeObject(await answer.json())
  }
  const entriesOf = async (operation: string) => (await json(`/audit?operation=${operation}`))["entries"]

  it("imports every line of a file once (D-IMP-5)", { timeout: 240_000 }, async () => {
    await start()
    const id = Number((await json("/contact-imports/create", {}))["id"])
    const rows = Array.from({ length: lines }, (_, line) => `Jo,jo${line}@example.com`)
    await json(`/contact-imports/${id}/parts`, { number: 1, csv: `first_name,email\n${rows.join("\n")}\n` })
    await json(`/contact-imports/${id}/start`, {})
    const progress = () => json(`/contact-imports/${id}`)
    for (const reached of [100, 200, 300, 400]) {
      await expect
        .poll(async () => Number((await progress())["lines"]), { timeout: 60_000 })
        .toBeGreaterThanOrEqual(reached)
      await kill()
      await start()
    }
    await expect.poll(async () => (await progress())["status"], { timeout: 120_000 }).toBe("finished")
    expect(await progress()).toMatchObject({ lines, created: lines, updated: 0, skipped: 0, refused: 0 })
    // With the contact of the provisioning document.
    expect(await json("/contacts")).toMatchObject({ count: lines + 1 })
    expect(await entriesOf("contactImports.end")).toHaveLength(1)
    await kill()
  })

  it("erases a contact completely, when the request is repeated (D-ERASE-1)", { timeout: 240_000 }, async () => {
    await start()
    const id = Number((await json("/contacts/create", person))["id"])
    const call = { phone_number: "+12025550173", agent_id: "asst_ada", variables: { topic: "Marker-Erased" } }
    for (let count = 0; count < callCount; count++)
      // An account has at most 10 running calls, so some start only when others have ended.
      await expect.poll(async () => (await ask(server.url, "/api/v1/calls", call)).status).toBe(201)
    for (let day = 1; day <= eventCount; day++) {
      const date = `2027-01-${String(day).padStart(2, "0")}`
      await json("/calendar/events/create", {
        title: "Marker-Erased",
        start_time: `${date}T10:00:00Z`,
        end_time: `${date}T10:30:00Z`,
        customer_phone: "+12025550173"
      })
    }
    await expect.poll(async () => (await json("/calls?status=completed"))["count"]).toBe(callCount)

    const erase = () => ask(server.url, `/api/v1/contacts/${id}/erase`, { confirm: true })
    for (const delay of [2, 10, 25, 50, 100]) {
      const asked = erase().catch(() => undefined)
      await new Promise((resolve) => {
        setTimeout(resolve, delay)
      })
      await kill()
      await asked
      await start()
    }
    expect([200, 404]).toContain((await erase()).status)

    const missing = await ask(server.url, `/api/v1/contacts/${id}`)
    expect(missing.status).toBe(404)
    expect(await json("/calls?phone_number=%2B12025550173")).toMatchObject({ count: 0 })
    expect(await json("/calls?phone_number=%2B9990000000")).toMatchObject({ count: callCount })
    const seen = [
      await json("/calls?limit=100"),
      await json("/calendar/events?limit=100"),
      await json("/audit?limit=100")
    ]
    expect(JSON.stringify(seen)).not.toMatch(/Marker-Erased|2025550173/)
    expect(JSON.stringify(seen[1]).match(/"Erased"/g)).toHaveLength(eventCount)
    expect(await entriesOf("contactErasures.erase")).toHaveLength(1)
    expect(await entriesOf("contactErasures.begin")).not.toHaveLength(0)
    await kill()
  })
})
