import { spawnSync } from "node:child_process"
import { createHmac } from "node:crypto"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { acme, ask } from "../support/acme.ts"
import { provision, serve } from "../support/inProcess.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"
import { receiver } from "../support/http.ts"

const created = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.Int, secret: Schema.String }))

/** Computes the signature of a body with openssl, or with Node if openssl is not installed. */
const signatureOf = (secret: string, body: Buffer): string => {
  const digest = spawnSync("openssl", ["dgst", "-sha256", "-hmac", secret, "-r"], { input: body })
  return digest.status === 0
    ? digest.stdout.toString().slice(0, 64)
    : createHmac("sha256", secret).update(body).digest("hex")
}

describe("webhooks of a server", () => {
  it("arrive signed with the header prefix of the settings, and are retried with the same bytes by the retry plan", async () => {
    const folder = temporaryFolder()
    const target = await receiver(500, 302, 204)
    await provision(folder, acme)
    const server = await serve(folder, {
      args: [
        "--webhook-allow-insecure",
        "--webhook-retry-delays",
        "200 ms,100 ms",
        "--webhook-header-prefix",
        "X-Acme-"
      ]
    })
    const webhook = { name: "w", url: `${target.url}/hook`, subscribed_events: ["calendar.created"] }
    const { id, secret } = created(await (await ask(server.url, "/api/v1/api/webhooks/create", webhook)).json())
    const event = { title: "Zoë 🎉", start_time: "2030-01-01T10:00:00", end_time: "2030-01-01T11:00:00" }
    expect((await ask(server.url, "/api/v1/calendar/events/create", event)).status).toBe(201)

    await expect.poll(() => target.received.length, { timeout: 20_000 }).toBe(3)
    const [first] = target.received
    expect(JSON.parse(first?.body.toString() ?? "")).toMatchObject({
      event_type: "calendar.created",
      calendar_event: { title: "Zoë 🎉" }
    })
    for (const { body, headers, path } of target.received) {
      expect(path).toBe("/hook")
      expect(body).toEqual(first?.body)
      expect(headers["x-acme-delivery-id"]).toBe(first?.headers["x-acme-delivery-id"])
      expect(headers["x-acme-event"]).toBe("calendar.created")
      expect(headers["x-acme-signature"]).toBe(signatureOf(secret, body))
    }
    const deliveries = () => ask(server.url, `/api/v1/webhooks/${id}/deliveries`).then((answer) => answer.json())
    await expect.poll(deliveries, { timeout: 20_000 }).toMatchObject({
      deliveries: [
        { status: "delivered", attempts: [{ status_code: 500 }, { status_code: 302 }, { status_code: 204 }] }
      ]
    })
    expect((await server.stop()).stderr).not.toContain(secret)
  })
})
