import { describe, expect, it } from "vitest"
import { acme, ask } from "../support/acme.ts"
import { provision, serve } from "../support/inProcess.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"
import { receiver } from "../support/http.ts"

const event = { title: "x", start_time: "2030-01-01T10:00:00", end_time: "2030-01-01T11:00:00" }

describe("frontdesk serve", () => {
  it("with --workers none serves the API and delivers nothing; with --workers only it delivers, and serves no API (D-SRV-1)", async () => {
    const folder = temporaryFolder()
    await provision(folder, acme)
    const target = await receiver(204)
    const api = await serve(folder, { args: ["--workers", "none", "--webhook-allow-insecure"] })
    await api.wrote("stderr", /FRONTDESK_WORKERS is none.*"logEvent":"setting.doubtful"/)
    const webhook = { name: "w", url: target.url, subscribed_events: ["calendar.created"] }
    expect((await ask(api.url, "/api/v1/api/webhooks/create", webhook)).status).toBe(201)
    expect((await ask(api.url, "/api/v1/calendar/events/create", event)).status).toBe(201)
    expect(await (await fetch(`${api.url}/health`)).json()).toEqual({ status: "ok", workers: {} })
    expect(target.received).toHaveLength(0)

    const worker = await serve(folder, {
      settings: { FRONTDESK_WORKERS: "only", FRONTDESK_METRICS: "true" },
      args: ["--webhook-allow-insecure"]
    })
    expect((await ask(worker.url, "/api/v1/agents")).status).toBe(404)
    expect((await fetch(`${worker.url}/docs`)).status).toBe(404)
    expect((await fetch(`${worker.url}/health`)).status).toBe(200)
    expect(await (await fetch(`${worker.url}/metrics`)).text()).toMatch(/frontdesk_worker_running\{.*outbox.*\} 1/)
    await expect.poll(() => target.received.length, { timeout: 20_000 }).toBe(1)
  })
})
