import { renameSync, rmSync, statSync, truncateSync } from "node:fs"
import { join } from "node:path"
import { names } from "@frontdesk/core/worker/Workers"
import { describe, expect, it } from "vitest"
import { acme, acmeKey, ask } from "../support/acme.ts"
import * as Process from "../support/asProcess.ts"
import { provision, run, serve } from "../support/inProcess.ts"
import { linesOf } from "../support/logLines.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"
import { freePort } from "@frontdesk/provider-fakes/FreePort"
import { receiver } from "../support/http.ts"
import { containing } from "../support/matching.ts"
import { unreachable } from "../support/unreachable.ts"

describe("frontdesk serve", () => {
  it("serves /health, the documentation, CORS, limits and metrics by its settings, and logs no API key", async () => {
    const folder = temporaryFolder()
    const server = await serve(folder, {
      settings: {
        FRONTDESK_METRICS: "true",
        FRONTDESK_LOG_LEVEL: "debug",
        FRONTDESK_MAX_BODY_SIZE: "1 kB",
        FRONTDESK_WEBHOOK_HEADER_PREFIX: "X-Acme-"
      },
      args: ["--cors-origins", "https://app.example.com", "--rate-limit", "3/1h"]
    })
    await provision(folder, acme)

    const health = await fetch(`${server.url}/health`)
    expect([health.status, await health.json()]).toEqual([
      200,
      { status: "ok", workers: Object.fromEntries(names.map((name) => [name, "running"])) }
    ])
    expect(await (await fetch(`${server.url}/openapi.json`)).json()).toMatchObject({
      openapi: "3.1.0",
      components: { parameters: { WebhookSignature: { name: "X-Acme-Signature" } } }
    })
    const docs = await fetch(`${server.url}/docs`)
    expect([docs.status, docs.headers.get("content-type")]).toEqual([200, containing("text/html")])

    const listed = await fetch(`${server.url}/api/v1/agents`, {
      headers: { authorization: `Bearer ${acmeKey}`, origin: "https://app.example.com", "x-request-id": "try-1" }
    })
    expect(listed.status).toBe(200)
    expect(listed.headers.get("access-control-allow-origin")).toBe("https://app.example.com")
    await server.wrote("stderr", /"requestId":"try-1"/)

    const event = { title: "x".repeat(2_000) }
    expect((await ask(server.url, "/api/v1/calendar/events/create", event)).status).toBe(413)
    expect((await ask(server.url, "/api/v1/agents")).status).toBe(200)
    expect((await ask(server.url, "/api/v1/agents")).status).toBe(429)

    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    expect(metrics).toMatch(/^frontdesk_http_requests.*operation="agents.list".* 2/m)
    expect((await server.stop()).stderr).not.toContain(acmeKey)
  })

  it("applies the quotas of the settings, given as a variable or as a flag", async () => {
    const folder = temporaryFolder()
    await provision(folder, acme)
    const server = await serve(folder, {
      settings: { FRONTDESK_MAX_CONTACTS: "1" },
      args: ["--max-calendar-events", "1"]
    })
    expect((await ask(server.url, "/api/v1/contacts/create", {})).status).toBe(409)
    const times = { start_time: "2099-03-02T10:00:00Z", end_time: "2099-03-02T10:30:00Z" }
    const event = () => ask(server.url, "/api/v1/calendar/events/create", { title: "Visit", ...times })
    expect((await event()).status).toBe(201)
    const refused = await event()
    expect([refused.status, await refused.json()]).toEqual([
      409,
      { error: "limit_reached", message: "The account has reached its limit of 1 calendar events" }
    ])
  })

  it("serves no /metrics by default, and GET /health answers 503 once the database file was renamed", async () => {
    const folder = temporaryFolder()
    const server = await serve(folder)
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404)
    renameSync(join(folder, "data/frontdesk.db"), join(folder, "data/other.db"))
    const health = await fetch(`${server.url}/health`)
    expect([health.status, await health.json()]).toMatchObject([503, { status: "unavailable" }])
  })

  it("GET /health answers 503 once the -wal beside the database file was deleted (D-SRV-16)", async () => {
    const folder = temporaryFolder()
    const server = await serve(folder)
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    rmSync(join(folder, "data/frontdesk.db-wal"))
    const health = await fetch(`${server.url}/health`)
    expect([health.status, await health.json()]).toMatchObject([503, { status: "unavailable" }])
  })

  it("logs its external services, and warns of an unreachable mail server and call provider while it serves (D-SRV-6)", async () => {
    const server = await serve(temporaryFolder(), {
      settings: unreachable
    })
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    await server.wrote("stderr", /"logEvent":"service.unusable","service":"mail"/)
    await server.wrote("stderr", /"logEvent":"service.unusable","service":"calls"/)
    const { stderr } = await server.stop()
    const [setUp] = linesOf(stderr, "server.set_up")
    expect(setUp?.message).toContain("Twilio at http://127.0.0.1:1;")
    expect(setUp?.message).toContain("127.0.0.1:1;")
    expect(stderr).not.toMatch(/hunter/)
  })

  it("logs no warning about mail and calls when neither is configured", async () => {
    const { stderr } = await (await serve(temporaryFolder())).stop()
    expect(linesOf(stderr, "server.set_up")).toHaveLength(1)
    expect(linesOf(stderr, "service.unusable")).toEqual([])
  })

  it("exits with 2 and names every invalid setting at once (D-SRV-7)", async () => {
    const settings = { FRONTDESK_PORT: "x", FRONTDESK_DATABASE_URL: "mysql://u:hunter2@db/x" }
    const { code, stderr } = await run(temporaryFolder(), ["serve", "--rate-limit", "many"], { settings })
    expect(code).toBe(2)
    expect(stderr).toContain("3 settings are invalid:")
    expect(stderr).toContain("FRONTDESK_PORT: Expected a port from 0 to 65535. For example: 8787")
    expect(stderr).toContain("FRONTDESK_DATABASE_URL: ")
    expect(stderr).toContain("--rate-limit (FRONTDESK_RATE_LIMIT): ")
    expect(stderr).not.toContain("hunter2")
    expect(stderr).not.toContain("    at ")
  })

  it("creates no new installation in a database file that was truncated (D-LITE-6)", async () => {
    const folder = temporaryFolder()
    const first = await serve(folder, { args: ["--demo"] })
    await first.stop()
    const file = join(folder, "data/frontdesk.db")
    truncateSync(file)
    const { code, stderr } = await run(folder, ["serve", "--demo"])
    expect(code).toBe(1)
    expect(stderr).toContain("the file is empty, so what it held is lost; put a backup in its place, or delete it")
    expect(statSync(file).size).toBe(0)
  })

  it("exits with 1 and names the port when its port is in use", async () => {
    const server = await serve(temporaryFolder())
    const { port } = new URL(server.url)
    const { code, stderr } = await run(temporaryFolder(), ["serve", "--port", port])
    expect({ code, stderr }).toEqual({ code: 1, stderr: containing(`port ${port} is in use`) })
    expect(stderr).not.toContain("    at ")
  })

  it("keeps answered changes when it is killed, and repeats a delivery in flight after the restart without waiting for its lease", async () => {
    const folder = temporaryFolder()
    const target = await receiver(0, 200)
    await provision(folder, acme)
    const settings = { FRONTDESK_PORT: String(await freePort()), FRONTDESK_WEBHOOK_ALLOW_INSECURE: "true" }
    const first = await Process.serve(folder, { settings })
    const webhook = { name: "w", url: target.url, subscribed_events: ["calendar.created"] }
    expect((await ask(first.url, "/api/v1/api/webhooks/create", webhook)).status).toBe(201)
    const event = { title: "Kept", start_time: "2030-01-01T10:00:00", end_time: "2030-01-01T11:00:00" }
    expect((await ask(first.url, "/api/v1/calendar/events/create", event)).status).toBe(201)
    await expect.poll(() => target.received.length, { timeout: 20_000 }).toBe(1)
    expect(await first.stop("SIGKILL")).toMatchObject({ signal: "SIGKILL" })

    const second = await Process.serve(folder, { settings })
    expect(await (await ask(second.url, "/api/v1/calendar/events/1")).json()).toMatchObject({ title: "Kept" })
    // The lease of the killed process lasts 30 seconds.
    await expect.poll(() => target.received.length, { timeout: 15_000 }).toBe(2)
    const [before, after] = target.received
    expect(after?.body).toEqual(before?.body)
    expect(after?.headers["x-service-delivery-id"]).toBe(before?.headers["x-service-delivery-id"])
  }, 60_000)

  it("sends traces, metrics and logs to the OTLP collector", async () => {
    const collector = await receiver(200)
    const server = await serve(temporaryFolder(), { settings: { FRONTDESK_OTLP_URL: collector.url } })
    await fetch(`${server.url}/health`)
    await server.stop()
    const paths = new Set(collector.received.map(({ path }) => path))
    expect(paths).toEqual(new Set(["/v1/traces", "/v1/metrics", "/v1/logs"]))
  })
})
