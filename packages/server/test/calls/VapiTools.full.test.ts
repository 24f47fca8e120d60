import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import process from "node:process"
import { promisify } from "node:util"
import * as FakeVapi from "@frontdesk/provider-fakes/vapi/FakeVapi"
import * as Schema from "effect/Schema"
import { expect, it } from "vitest"
import { ask } from "../support/acme.ts"
import { serve } from "../support/asProcess.ts"
import { freePort } from "@frontdesk/provider-fakes/FreePort"
import { anyText } from "../support/matching.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"

const secret = "the-secret-between-vapi-and-the-server"
/** The numbers of an agent and of a contact in the demo account. */
const [adasNumber, josNumber] = ["+12025550100", "+12025550111"]

const Dialled = Schema.decodeUnknownSync(Schema.Struct({ callId: Schema.String, status: Schema.String }))
const Used = Schema.decodeUnknownSync(
  Schema.Struct({
    status: Schema.Literal(200),
    body: Schema.Struct({
      results: Schema.NonEmptyArray(Schema.Struct({ name: Schema.String, result: Schema.String }))
    })
  })
)
const Found = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ slots: Schema.NonEmptyArray(Schema.Struct({ slot_id: Schema.String })) }))
)
const Booked = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.Struct({ say: Schema.String, event: Schema.Struct({ id: Schema.Int, start_time: Schema.String }) })
  )
)
const Listed = Schema.decodeUnknownSync(
  Schema.Struct({ calls: Schema.NonEmptyArray(Schema.Struct({ id: Schema.Int })) })
)

const Counted = Schema.decodeUnknownSync(Schema.Struct({ count: Schema.Int }))

/** Starts the server as a new user does: with the demo account, and the settings that the fake of Vapi prints. */
const start = async (vapi: { readonly url: string }) => {
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const folder = temporaryFolder()
  const settings = {
    FRONTDESK_PORT: String(port),
    FRONTDESK_PUBLIC_URL: publicUrl,
    FRONTDESK_CALL_PROVIDER: "vapi",
    FRONTDESK_VAPI_BASE_URL: vapi.url,
    FRONTDESK_VAPI_API_KEY: FakeVapi.defaults.apiKey,
    FRONTDESK_VAPI_PHONE_NUMBER_ID: FakeVapi.defaults.phoneNumberIds.join(),
    FRONTDESK_VAPI_WEBHOOK_SECRET: secret
  }
  const server = await serve(folder, { args: ["--demo"], settings })
  const [, key = ""] = await server.wrote("stdout", /Demo key {2}(\S+)/)
  const control = async (path: string, body: object): Promise<unknown> =>
    (await fetch(`${vapi.url}/_sim/${path}`, { method: "POST", body: JSON.stringify(body) })).json()
  return {
    server,
    folder,
    settings,
    control,
    /** Returns the answer of the API to a GET request, or to a POST request with a body. */
    api: async (path: string, body?: object): Promise<unknown> =>
      (await ask(server.url, `/api/v1${path}`, body, key)).json(),
    /** Returns how many rows a list has. The demo account has some from the start. */
    count: async (path: string): Promise<number> =>
      Counted(await (await ask(server.url, `/api/v1${path}`, undefined, key)).json()).count,
    /** Sets the number of an agent at Vapi, with the address of the server and the secret. */
    setNumber: (given: string) =>
      control("phone-numbers", {
        number: adasNumber,
        server: { url: `${publicUrl}/providers/vapi/messages`, secret: given }
      }),
    dial: async () => Dialled(await control("inbound", { from: josNumber, to: adasNumber }))
  }
}

/** Returns the dates between which the agent looks for a time, from the day after tomorrow. */
const dates = () => {
  const date = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  return { from_date: date(2), to_date: date(16) }
}

it("a caller at Vapi books times through tool calls in all four shapes, and the call shows them", async () => {
  await using vapi = await FakeVapi.open({ pace: 1 })
  const { api, control, count, dial, server, setNumber } = await start(vapi)
  const before = await count("/calendar/events")
  await setNumber(secret)
  const { callId, status } = await dial()
  expect(status).toBe("in-progress")

  const use = async (shape: string, name: string, args: object): Promise<string> => {
    const used = Used(await control("tool-calls", { callId, shape, calls: [{ name, arguments: args }] }))
    expect(used.body.results).toMatchObject([{ name }])
    return used.body.results[0].result
  }
  const booked: Array<ReturnType<typeof Booked>["event"]> = []
  for (const shape of ["text", "object", "flat", "nested"]) {
    const found = Found(await use(shape, "find_slots", { ...dates(), duration_minutes: 30 }))
    const args = { slot_id: found.slots[0].slot_id, title: `Booked as ${shape}` }
    const first = await use(shape, "book", args)
    // The repeat of a model that has not heard the answer.
    expect(await use(shape, "book", args)).toBe(first)
    booked.push(Booked(first).event)
  }
  expect(new Set(booked.map(({ start_time }) => start_time)).size).toBe(4)

  for (const { id, start_time } of booked) {
    expect(await api(`/calendar/events/${id}`)).toMatchObject({
      start_time: new Date(start_time).toISOString(),
      status: "scheduled",
      created_by_ai_agent: true,
      customer: { name: "Jo Miller", phone: josNumber }
    })
  }
  expect(await count("/calendar/events")).toBe(before + 4)

  const [{ id }] = Listed(await api("/calls")).calls
  const names = ["text", "object", "flat", "nested"].flatMap(() => ["find_slots", "book", "book"])
  // A tool call that changes no calendar event is stored after its answer.
  await expect
    .poll(() => api(`/calls/${id}`), { timeout: 30_000 })
    .toMatchObject({
      type: "inbound",
      status: "in_progress",
      phone_number: josNumber,
      agent: { assistant_id: "asst_ada" },
      contact: { name: "Jo Miller" },
      tool_calls: names.map((name) => ({ name, answer: { say: anyText } }))
    })
  expect(await api(`/calls/${id}/hang-up`, {})).toMatchObject({ id })
  await expect
    .poll(() => api(`/calls/${id}`), { timeout: 30_000 })
    .toMatchObject({ status: "completed", transcript: anyText, tool_calls: names.map((name) => ({ name })) })
  await server.stop()
}, 120_000)

it("a number at Vapi with another secret gets no assistant, and the call is not stored", async () => {
  await using vapi = await FakeVapi.open({ pace: 1 })
  const { count, dial, server, setNumber } = await start(vapi)
  const before = await count("/calls")
  await setNumber("another-secret-of-enough-characters")
  expect(await dial()).toMatchObject({ status: "ended" })
  expect(vapi.sent.map(({ kind, status }) => [kind, status])).toContainEqual(["assistant-request", 403])
  expect(await count("/calls")).toBe(before)
  await server.stop()
}, 120_000)

/** Returns the commands of a section of docs/agent-tools.md, without those that start the fake and the server. */
const commandsOf = (heading: string): ReadonlyArray<string> => {
  const page = readFileSync(new URL("../../../../docs/agent-tools.md", import.meta.url), "utf8")
  const section = page.split(/^## /m).find((section) => section.startsWith(`${heading}\n`)) ?? ""
  const fences = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands = ""]) => commands)
  return fences.filter((commands) => !commands.includes("pnpm")).map((commands) => commands.replace(/^\. .*\n/, ""))
}

it("the commands of docs/agent-tools.md book a time in a call, show it and hang up", async () => {
  await using vapi = await FakeVapi.open({ pace: 1 })
  const { api, count, folder, server, settings } = await start(vapi)
  const before = await count("/calendar/events")
  const commands = commandsOf("Try it in five minutes")
  expect(commands).toHaveLength(7)
  const script = commands
    .join("")
    .replaceAll("http://127.0.0.1:8792", vapi.url)
    .replaceAll("http://127.0.0.1:8787", server.url)
  const { stdout } = await promisify(execFile)("bash", ["--norc", "-eo", "pipefail", "-c", script], {
    cwd: folder,
    env: { PATH: process.env["PATH"], ...settings }
  })
  expect(stdout).toContain(`{"say":"You are booked for `)
  expect(stdout).toContain(`"message":"The call is being ended"`)
  expect(await count("/calendar/events")).toBe(before + 1)
  const [{ id }] = Listed(await api("/calls")).calls
  await expect
    .poll(() => api(`/calls/${id}`), { timeout: 30_000 })
    .toMatchObject({
      tool_calls: ["get_context", "find_slots", "book", "my_appointments"].map((name) => ({ name }))
    })
  await server.stop()
}, 120_000)
