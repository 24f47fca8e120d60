import type { MountOptions } from "@frontdesk/embed"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { hosts } from "./hosts.ts"
import { mounted } from "./mounted.ts"

const decode = Schema.decodeUnknownSync(
  Schema.Struct({
    result: Schema.Struct({
      structuredContent: Schema.Struct({
        error: Schema.optionalKey(Schema.String),
        slots: Schema.optionalKey(Schema.Array(Schema.Struct({ slot_id: Schema.String }))),
        event: Schema.optionalKey(Schema.Struct({ id: Schema.Int }))
      })
    })
  })
)

const origin = "https://app.example.com"

const options: MountOptions = {
  corsOrigins: [origin],
  authenticate: (request) => {
    const user = request.headers.get("x-user")
    return user === null ? null : { accountId: user, permissions: ["can_read_calendar", "can_write_calendar"] }
  }
}

describe.each(Object.entries(hosts))("POST /mcp of a mount in %s", (_, open) => {
  const mount = mounted(open, options)

  const send = (message: object, headers: Readonly<Record<string, string>>): Promise<Response> =>
    fetch(`${mount.url}/voice/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message })
    })
  const call = async (user: string, name: string, args: object) => {
    const response = await send({ method: "tools/call", params: { name, arguments: args } }, { "x-user": user, origin })
    return decode(await response.json()).result.structuredContent
  }

  it("books a slot for the caller whom the program has found, and not for another account", async () => {
    const from_date = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
    const to_date = new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10)
    const { slots } = await call("acme", "find_slots", { from_date, to_date, duration_minutes: 30 })
    const args = { slot_id: slots?.[0]?.slot_id, title: "Visit" }
    expect(await call("other", "book", args)).toEqual({ error: "invalid_slot_id" })
    const { event } = await call("acme", "book", args)
    expect(await call("acme", "book", args)).toEqual({ event })
    expect(await mount.frontdesk.as("acme").calendar.get(event?.id ?? 0)).toMatchObject({ title: "Visit" })
  })

  it("answers 401 without a caller, and 403 to a page of an origin that is not listed", async () => {
    expect((await send({ method: "ping" }, {})).status).toBe(401)
    const other = { "x-user": "acme", origin: "https://evil.test" }
    expect((await send({ method: "ping" }, other)).status).toBe(403)
  })
})
