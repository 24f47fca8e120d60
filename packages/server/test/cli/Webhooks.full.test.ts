import { createServer } from "node:http"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describe, expect, it, onTestFinished } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { ask } from "../support/acme.ts"
import { command, commandEffect, commandJson } from "../support/command.ts"
import { provisionedFolder, type Server, serve } from "../support/inProcess.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"
import { answerText, receiver } from "../support/http.ts"
import { anyText, containing, matching } from "../support/matching.ts"

const idOf = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.Int }))

const queued = Schema.decodeUnknownSync(Schema.Struct({ delivery_id: Schema.String }))

const listed = Schema.decodeUnknownSync(
  Schema.Struct({
    count: Schema.Int,
    deliveries: Schema.Array(Schema.Struct({ id: Schema.String, status: Schema.String, created_at: Schema.String }))
  })
)

/** Returns a folder whose database has Acme, and a server on it that makes one attempt for each delivery. */
const serveAcme = async (): Promise<{ readonly folder: string; readonly server: Server }> => {
  const folder = await provisionedFolder()
  const server = await serve(folder, { args: ["--webhook-allow-insecure", "--webhook-retry-delays", "none"] })
  return { folder, server }
}

/** Creates a webhook of Acme that is subscribed to new calendar events, and returns its id. */
const webhookAt = async (server: Server, url: string): Promise<number> => {
  const body = { name: "w\u001b[31m", url, subscribed_events: ["calendar.created"] }
  return idOf(await (await ask(server.url, "/api/v1/api/webhooks/create", body)).json()).id
}

const createEvents = async (server: Server, count: number): Promise<void> => {
  for (let minute = 0; minute < count; minute++) {
    const start_time = `2030-01-01T10:0${minute}:00`
    const answer = await ask(server.url, "/api/v1/calendar/events/create", {
      title: "x",
      start_time,
      end_time: "2030-01-01T11:00:00"
    })
    expect(answer.status).toBe(201)
  }
}

/** Starts a receiver that always answers with the given status and body, and returns its URL. */
const answering = async (status: number, body: string): Promise<string> => {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(status).end(body)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/in?token=opensesame`
}

describe("frontdesk webhooks", () => {
  it("lists failed deliveries, and redelivers one or all since a time while the server runs", async () => {
    const { folder, server } = await serveAcme()
    const target = await receiver(500, 500, 500, 500, 204)
    const id = String(await webhookAt(server, `${target.url}/in?token=opensesame`))
    const webhooks = (...args: ReadonlyArray<string>) => commandJson(folder, ["webhooks", ...args, "--json"])
    const delivered = async () => listed(await webhooks("deliveries", id, "--status", "delivered")).count
    const failed = async () => listed(await webhooks("deliveries", id, "--status", "failed"))
    await createEvents(server, 3)
    await expect.poll(async () => (await failed()).count, { timeout: 20_000 }).toBe(3)

    const [newest, middle, oldest] = (await failed()).deliveries
    expect(await webhooks("deliveries", id, "--limit", "1", "--page", "3")).toMatchObject({
      count: 3,
      page: 3,
      limit: 1,
      pages: 3,
      deliveries: [
        {
          id: oldest?.id,
          webhook_id: Number(id),
          event_type: "calendar.created",
          status: "failed",
          next_attempt_at: null,
          attempts: [
            { number: 1, kind: "automatic", status_code: 500, error: "the receiver answered 500", started_at: anyText }
          ],
          last_answer: answerText
        }
      ]
    })

    // The receiver rejects this redelivery too. It must fail again instead of being repeated without end.
    expect(await webhooks("redeliver", oldest?.id ?? "")).toMatchObject({ id: oldest?.id, status: "pending" })
    await expect.poll(() => target.received.length, { timeout: 20_000 }).toBe(4)
    await expect.poll(async () => (await failed()).count, { timeout: 20_000 }).toBe(3)

    const since = newest?.created_at ?? ""
    expect(await webhooks("redeliver-failed", id, "--since", since)).toEqual({
      webhook_id: Number(id),
      since,
      redelivered: 1
    })
    await expect.poll(delivered, { timeout: 20_000 }).toBe(1)
    const rest = await command(folder, ["webhooks", "redeliver-failed", id, "--since", "2020-01-01T00:00:00Z"])
    expect(rest).toEqual({ code: 0, stdout: containing("will be sent again: 2"), stderr: "2 deliveries are due" })
    await expect.poll(delivered, { timeout: 20_000 }).toBe(3)
    expect(await webhooks("redeliver-failed", id, "--since", "2020-01-01T00:00:00Z")).toMatchObject({ redelivered: 0 })
    const sent = target.received.map(({ headers }) => headers["x-service-delivery-id"])
    const expected = [oldest, oldest, oldest, middle, middle, newest, newest].map((delivery) => delivery?.id)
    expect(sent.map(String).toSorted()).toEqual(expected.map(String).toSorted())
  })

  it("tests webhooks with --wait, and lists them without the secrets in their URLs", async () => {
    const { folder, server } = await serveAcme()
    const good = await webhookAt(server, await answering(200, "taken"))
    const bad = await webhookAt(server, await answering(503, "<h1>\u001b[2Jno\u202e</h1>"))
    const test = await command(folder, ["webhooks", "test", String(good), "--wait"])
    expect(test).toMatchObject({ code: 0, stderr: "", stdout: matching(/webhook\.test {2}delivered/) })
    expect(test.stdout).toMatch(/^ {2}1 {2}automatic {2}\S+ {2}200 in \d+ ms\n {2}last answer: taken$/m)

    const refused = await command(folder, ["webhooks", "test", String(bad), "--wait"])
    expect(refused).toMatchObject({ code: 1, stderr: "frontdesk: The attempt failed; there is no further attempt" })
    const beyond = await command(folder, ["webhooks", "deliveries", String(bad), "--page", "999"])
    expect(beyond).toMatchObject({ code: 0, stdout: "There is no page 999; pages: 1, deliveries in total: 1" })
    expect(refused.stdout).toContain(String.raw`last answer: <h1>\u{1b}[2Jno\u{202e}</h1>`)

    const { delivery_id } = queued(await commandJson(folder, ["webhooks", "test", String(bad), "--json"]))
    const shown = async () => listed(await commandJson(folder, ["webhooks", "deliveries", String(bad), "--json"]))
    await expect
      .poll(async () => (await shown()).deliveries.map(({ id, status }) => [id, status]), { timeout: 20_000 })
      .toContainEqual([delivery_id, "failed"])

    const all = await commandJson(folder, ["webhooks", "list", "--json"])
    expect(all).toMatchObject({
      webhooks: [
        { id: good, account_id: 1, status: "active", pending: 0, consecutive_failures: 0, last_success_at: anyText },
        { id: bad, status: "failed", last_failure_status: 503, consecutive_failures: 2, last_success_at: null }
      ]
    })
    expect(await commandJson(folder, ["webhooks", "list", "--account", "acme", "--json"])).toEqual(all)
    const table = await command(folder, ["webhooks", "list"])
    expect(table.stdout).toMatch(/^ID +ACCOUNT +NAME +STATUS/)
    expect(table.stdout).toContain(String.raw`w\u{1b}[31m`)
    expect(table.stdout).toMatch(/http:\/\/127\.0\.0\.1:\d+\/in {2}calendar\.created$/m)
    for (const hidden of ["opensesame", "whsec_", "\u001b"]) {
      expect(table.stdout + JSON.stringify(all)).not.toContain(hidden)
    }
  })

  it("no longer finds deliveries that are older than the retention", async () => {
    const { folder, server } = await serveAcme()
    const target = await receiver(204)
    const id = String(await webhookAt(server, target.url))
    await createEvents(server, 1)
    const shown = async () => listed(await commandJson(folder, ["webhooks", "deliveries", id, "--json"]))
    await expect
      .poll(async () => (await shown()).deliveries.map(({ status }) => status), { timeout: 20_000 })
      .toEqual(["delivered"])
    const [delivery] = (await shown()).deliveries
    await server.stop()
    // Makes the webhook event two hours older, which is longer than the retention.
    const database = new DatabaseSync(join(folder, "data/frontdesk.db"))
    database.exec("UPDATE webhook_event SET created_at = created_at - 7200000")
    database.close()
    const { stop, wrote } = await serve(folder, { args: ["--webhook-retention", "1 hour"] })
    await wrote("stderr", /Deleted 1 old webhook event"/)
    await stop()
    const none = await command(folder, ["webhooks", "deliveries", id])
    expect(none).toEqual({ code: 0, stdout: "There are no such deliveries", stderr: "" })
    expect(await command(folder, ["webhooks", "redeliver", delivery?.id ?? ""])).toMatchObject({
      code: 1,
      stderr: containing(
        "Deliveries that are older than the retention are deleted, and so are deliveries of deleted webhooks"
      )
    })
  })

  it.effect("test --wait exits with 1 and possible reasons when there is no attempt within 30 seconds", () =>
    Effect.gen(function* () {
      const { folder, server } = yield* Effect.promise(serveAcme)
      const webhook = yield* Effect.promise(() => webhookAt(server, "http://127.0.0.1:9/"))
      yield* Effect.promise(() => server.stop())
      const ending = commandEffect(folder, ["webhooks", "test", String(webhook), "--wait", "--json"])
      const fiber = yield* Effect.forkChild(ending)
      while (fiber.pollUnsafe() === undefined) yield* Effect.andThen(TestClock.adjust("1 second"), Effect.yieldNow)
      const { code, stderr, stdout } = yield* Fiber.join(fiber)
      expect(code).toBe(1)
      expect(stderr).toBe(
        "frontdesk: No attempt within 30 seconds: no server runs on this database, or other deliveries of this webhook " +
          "come first"
      )
      expect(JSON.parse(stdout)).toMatchObject({ webhook_id: webhook, event_type: "webhook.test", status: "pending" })
      expect(yield* Clock.currentTimeMillis).toBeGreaterThanOrEqual(30_000)
    })
  )

  it.each([
    [1, "There is no webhook with the id 7", ["deliveries", "7"]],
    [1, "There is no webhook with the id 7", ["redeliver-failed", "7", "--since", "2026-01-01T00:00:00Z"]],
    [1, "There is no webhook with the id 7", ["test", "7"]],
    [
      1,
      "There is no delivery 0198c0de-0000-7000-8000-000000000005",
      ["redeliver", "0198C0DE-0000-7000-8000-000000000005"]
    ],
    [1, 'There is no account "unknown"', ["list", "--account", "unknown"]],
    [2, "the id of a delivery", ["redeliver", "12"]],
    [2, "a whole number above 0", ["deliveries", "all"]],
    [
      2,
      "a time with Z or an offset, for example 2026-12-31T00:00:00Z",
      ["redeliver-failed", "7", "--since", "2026-02-30T00:00:00Z"]
    ],
    [2, "Missing required flag: --since", ["redeliver-failed", "7"]],
    [2, "one of pending, delivered, failed, cancelled", ["deliveries", "7", "--status", "leased"]],
    [2, "a whole number from 1 to 100", ["deliveries", "7", "--limit", "101"]],
    [2, "a whole number above 0", ["deliveries", "7", "--page", "0"]]
  ])("exits with %i and the message: %s", async (code, message, args) => {
    const folder = temporaryFolder()
    await command(folder, ["migrate"])
    const end = await command(folder, ["webhooks", ...args])
    expect(end).toEqual({ code, stdout: "", stderr: containing(message) })
    expect(end.stderr).not.toContain("    at ")
  })
})
