import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { afterEach, beforeEach, expect, it } from "vitest"
import { makeApplication } from "../src/inHono.ts"

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "custom-server-"))
})
afterEach(() => rm(folder, { recursive: true }))

const event = JSON.stringify({
  title: "Check-up",
  start_time: "2030-05-06T09:00:00",
  end_time: "2030-05-06T09:30:00",
  customer_email: "jo@example.com"
})

it("the server accepts a booking, mails the customer through its own adapter, and refuses a second booking of the same slot", async () => {
  const server = await start()
  const post = () =>
    fetch(`${server.url}/api/v1/calendar/events/create`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
      body: event
    })
  const booked = await post()
  expect(booked.status).toBe(201)
  expect(await booked.json()).toMatchObject({ title: "Check-up", start_time: "2030-05-06T07:00:00.000Z" })
  expect(await server.line()).toBe('mail to jo@example.com: created "Check-up" at 2030-05-06T07:00:00.000Z')

  const again = await post()
  expect(again.status).toBe(409)
  expect(await again.json()).toMatchObject({ error: "slot_unavailable" })
  await server.stop()
})

it("the Hono application serves its own page and the API", async () => {
  const { application, dispose } = makeApplication(":memory:")
  expect(await (await application.request("/")).text()).toBe("Welcome to the clinic")
  const refused = await application.request("/api/v1/agents")
  expect(refused.status).toBe(401)
  expect(await refused.json()).toMatchObject({ error: "authentication_required" })
  await dispose()
})

const start = async () => {
  const child = spawn(process.execPath, [new URL("../src/main.ts", import.meta.url).pathname], {
    env: { ...process.env, DATABASE: join(folder, "clinic.db"), PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const line = async (): Promise<string> => String((await lines.next()).value)
  const url = (await line()).replace("listening on ", "")
  const key = (await line()).replace("key ", "")
  const stop = async () => {
    child.kill("SIGTERM")
    await once(child, "exit")
  }
  return { url, key, line, stop }
}
