import * as ReconcilePlan from "@frontdesk/core/call/ReconcilePlan"
import * as Duration from "effect/Duration"
import { describe, expect, it } from "vitest"
import { acme, ask } from "../support/acme.ts"
import { provision, serve } from "../support/inProcess.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"
import { receiver } from "../support/http.ts"
import { anyText } from "../support/matching.ts"

const events = ["call.started", "call.ended", "call.failed", "call.transcript", "call.recording", "call.summary"]

/** The wait before the server asks the provider about a call. The standard plan waits 15 seconds. */
const soon = Duration.millis(500)
const reconcilePlan: ReconcilePlan.Plan = { ...ReconcilePlan.standard, delays: [soon] }

describe("simulated calls of a server", () => {
  it("reach their end and cause webhook events, and reconciliation ends a call whose end the provider does not report", async () => {
    const folder = temporaryFolder()
    const target = await receiver(200)
    await provision(folder, acme)
    const server = await serve(folder, {
      settings: { FRONTDESK_SIMULATED_CALL_PACE: "0", FRONTDESK_WEBHOOK_ALLOW_INSECURE: "true" },
      reconcilePlan
    })
    const webhook = { name: "w", url: target.url, subscribed_events: events }
    expect((await ask(server.url, "/api/v1/api/webhooks/create", webhook)).status).toBe(201)
    const call = async (phoneNumber: string) => {
      const answer = await ask(server.url, "/api/v1/calls", { phone_number: phoneNumber, agent_id: "asst_ada" })
      expect(answer.status).toBe(201)
    }
    const shown = (id: number) => ask(server.url, `/api/v1/calls/${id}`).then((answer) => answer.json())
    // The simulated provider never reports the end of a call to this number.
    await call("+12025550005")
    await call("+12025550111")
    // A call to this number finds it busy.
    await call("+12025550001")

    await expect
      .poll(() => shown(2), { timeout: 20_000 })
      .toMatchObject({
        status: "completed",
        duration_seconds: 30,
        summary: anyText,
        transcript: anyText,
        recording_url: anyText,
        billing: { status: "charged", total_charge: 0.1 }
      })
    await expect.poll(() => shown(3), { timeout: 20_000 }).toMatchObject({ status: "busy" })
    await expect
      .poll(() => shown(1), { interval: 250, timeout: 50_000 })
      .toMatchObject({
        status: "completed",
        duration_seconds: 30
      })
    const names = () => target.received.map(({ headers }) => String(headers["x-service-event"])).toSorted()
    await expect
      .poll(names, { timeout: 20_000 })
      .toEqual([...events.filter((name) => name !== "call.failed"), ...events].toSorted())
  }, 90_000)
})
