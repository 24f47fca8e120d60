import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { acme, ask } from "../support/acme.ts"
import { provision, serve } from "../support/inProcess.ts"
import { linesOf } from "../support/logLines.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"
import { answerText, receiver } from "../support/http.ts"
import { anyNumber, containing } from "../support/matching.ts"

const created = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.Int, secret: Schema.String }))

describe("the log of delivery attempts", () => {
  it.each([
    ["debug", ["INFO", "DEBUG"]],
    ["info", ["INFO"]]
  ])("at level %s has lines of the levels %j, without URL, body, answer or secret", async (level, levels) => {
    const folder = temporaryFolder()
    const target = await receiver(500, 204)
    await provision(folder, acme)
    const server = await serve(folder, {
      args: ["--webhook-allow-insecure", "--webhook-retry-delays", "100 ms", "--log-level", level]
    })
    const webhook = { name: "w", url: `${target.url}/in?token=opensesame`, subscribed_events: ["calendar.created"] }
    const { id, secret } = created(await (await ask(server.url, "/api/v1/api/webhooks/create", webhook)).json())
    const event = { title: "unheard-of", start_time: "2030-01-01T10:00:00", end_time: "2030-01-01T11:00:00" }
    expect((await ask(server.url, "/api/v1/calendar/events/create", event)).status).toBe(201)
    await expect.poll(() => target.received.length, { timeout: 20_000 }).toBe(2)
    const { stderr } = await server.stop()

    const lines = linesOf(stderr, "delivery.attempted")
    expect(lines.map((line) => line.level)).toEqual(levels)
    const common = {
      deliveryId: target.received[0]?.headers["x-service-delivery-id"],
      webhookId: id,
      event: "calendar.created",
      kind: "automatic",
      durationMs: anyNumber
    }
    const expected = [
      { ...common, attempt: 1, outcome: "retry", status: 500 },
      { ...common, attempt: 2, outcome: "delivered", status: 204 }
    ]
    for (const [index, { annotations }] of lines.entries()) expect(annotations).toMatchObject(expected[index] ?? {})
    for (const hidden of ["opensesame", new URL(target.url).host, "unheard-of", answerText, secret]) {
      expect(stderr).not.toEqual(containing(hidden))
    }
  })
})
