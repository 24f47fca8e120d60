import { execFile, spawnSync } from "node:child_process"
import { rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { Accounts } from "@frontdesk/core/account/Accounts"
import { ApiKeyId } from "@frontdesk/core/access/ApiKey"
import { AccountId } from "@frontdesk/core/access/Account"
import { ApiKeys } from "@frontdesk/core/access/ApiKeys"
import { Contacts } from "@frontdesk/core/contact/Contacts"
import { SignInLinks } from "@frontdesk/core/people/SignInLinks"
import { Provisioning } from "@frontdesk/core/provisioning/Provisioning"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Struct from "effect/Struct"
import { describe, expect, it } from "vitest"
import * as Demo from "frontdesk/demo/Demo"
import type * as DemoText from "frontdesk/demo/DemoText"
import * as NodeCrypto from "frontdesk/NodeCrypto"
import type { DatabaseUrl } from "frontdesk/settings/DatabaseUrl"
import * as Storage from "frontdesk/Storage"
import { command } from "../support/command.ts"
import { provisionedFolder, serve } from "../support/inProcess.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"
import { freePort } from "@frontdesk/provider-fakes/FreePort"
import { anyText } from "../support/matching.ts"

const hasCurl = spawnSync("curl", ["--version"]).status === 0

/** Runs a printed line in a shell and returns the answer as JSON. Without curl it sends the same request with fetch. */
const runPrinted = async (line: string): Promise<unknown> => {
  if (hasCurl) return JSON.parse((await promisify(execFile)("sh", ["-c", line])).stdout)
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "")
  const after = (option: string) => words.filter((_, index) => words[index - 1] === option)
  const url = words.find((word) => word.startsWith("http:")) ?? ""
  const headers = after("-H").map((header): [string, string] => [
    header.split(": ")[0] ?? "",
    header.split(": ")[1] ?? ""
  ])
  const [body] = after("-d")
  const answer = await fetch(url, { headers, ...(body !== undefined && { method: "POST", body }) })
  return answer.json()
}

const requestsOf = (printed: string): ReadonlyArray<string> =>
  printed.split("\n").filter((line) => line.startsWith("curl "))

const keyOf = (printed: string): string | undefined => /Demo key +(\S+)/.exec(printed)?.[1]

const answers = [
  { agents: [{ name: "Ada", can_make_calls: true }, { name: "Ben" }] },
  { uuid: anyText, status: "scheduled" },
  { status: "queued", contact: { name: "Jo Miller" } }
]

/** Returns a calendar date some days ago. */
const daysBefore = (date: string, days: number): string =>
  new Date(Date.parse(date) - days * 86_400_000).toISOString().slice(0, 10)

/** The figures of a day, or of several together. */
type Figures = Readonly<
  Record<"answered" | "bookings" | "calls" | "deliveries" | "failures" | "minutes" | "spend", number>
>

/** The statistics of the demo account. */
interface History {
  readonly is_complete: boolean
  readonly days: ReadonlyArray<Figures>
  readonly totals: Figures
}

describe("frontdesk serve --demo", () => {
  it("prints the sign-in link below the public URL, because the dashboard refuses a sign-in elsewhere", async () => {
    const server = await serve(temporaryFolder(), {
      args: ["--demo"],
      settings: { FRONTDESK_PUBLIC_URL: "https://desk.example.com/voice" }
    })
    const [, link] = await server.wrote("stdout", /(http\S+dashboard\/sign-in\/\S+)/)
    expect(link).toMatch(/^https:\/\/desk\.example\.com\/voice\/dashboard\/sign-in\/[\w-]{43}$/)
  })

  it("prints three requests that work unchanged, and prints the same key after a restart", async () => {
    const folder = temporaryFolder()
    const args = ["--demo", "--port", String(await freePort())]
    const start = async () => {
      const server = await serve(folder, { args })
      const [printed] = await server.wrote("stdout", /^.*after a restart\.$/ms)
      return { printed, stop: server.stop }
    }
    const check = async (requests: ReadonlyArray<string>) => {
      expect(requests).toHaveLength(3)
      for (const [index, request] of requests.entries()) {
        expect(await runPrinted(request)).toMatchObject(answers[index] ?? {})
      }
    }
    const first = await start()
    await check(requestsOf(first.printed))
    await first.stop()
    const second = await start()
    await check(requestsOf(first.printed))
    await check(requestsOf(second.printed))
    expect(keyOf(first.printed)).toMatch(/^fd_test_[\w-]{43}$/)
    expect(keyOf(second.printed)).toBe(keyOf(first.printed))
    expect((await second.stop()).stderr).not.toContain(keyOf(first.printed))
  })

  it("comes with a week and a day of calls, appointments and deliveries, with which the balance and the statistics agree", async () => {
    const server = await serve(temporaryFolder(), { args: ["--demo"] })
    const [printed] = await server.wrote("stdout", /^.*after a restart\.$/ms)
    const get = async <A = unknown>(path: string): Promise<A> => {
      const headers = { authorization: `Bearer ${keyOf(printed) ?? ""}` }
      /* oxlint-disable-next-line typescript/no-unsafe-type-assertion
         -- The test says what the answers have. */
      return (await (await fetch(`${server.url}/api/v1${path}`, { headers })).json()) as A
    }
    const { time_zone } = await get<{ time_zone: string }>("/account")
    const today = new Intl.DateTimeFormat("sv-SE", { timeZone: time_zone }).format(Date.now())
    const statistics = () => get<History>(`/statistics?start_date=${daysBefore(today, 7)}&end_date=${today}`)
    await expect.poll(async () => (await statistics()).is_complete).toBe(true)
    const { days, totals } = await statistics()
    const ofWeek = (field: keyof History["totals"]) =>
      Number(
        days
          .slice(0, -1)
          .reduce((sum, one) => sum + one[field], 0)
          .toFixed(2)
      )
    const week = { calls: 33, answered: 23, minutes: 54, spend: 5.4, bookings: 9, deliveries: 34, failures: 8 }
    for (const field of Struct.keys(week)) expect([field, ofWeek(field)]).toEqual([field, week[field]])
    expect(totals.calls).toBeLessThanOrEqual(week.calls + 4)

    expect(await get("/calls")).toMatchObject({ count: totals.calls })
    expect(await get("/calls?status=completed")).toMatchObject({ count: totals.answered })
    expect(await get("/calendar/events")).toMatchObject({ count: totals.bookings })
    const balance = Number((100 - totals.spend).toFixed(2))
    expect(await get("/account/balance")).toEqual({ deposits: 100, charges: totals.spend, reservations: 0, balance })
    // Every visit is within the working hours, and no two are at the same time.
    const { working_hours: hours } = await get<{ working_hours: Record<string, ReadonlyArray<readonly string[]>> }>(
      "/account"
    )
    const clock = new Intl.DateTimeFormat("en-US", {
      timeZone: time_zone,
      weekday: "short",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23"
    })
    const { events } = await get<{ events: ReadonlyArray<{ start_time: string; end_time: string }> }>(
      "/calendar/events?limit=100"
    )
    for (const { end_time: end, start_time: start } of events) {
      const [weekday = "", from = ""] = clock.format(Date.parse(start)).split(" ")
      const [, until = ""] = clock.format(Date.parse(end)).split(" ")
      const windows = hours[weekday.toLowerCase()] ?? []
      expect(windows.some(([opens = "", closes = ""]) => opens <= from && until <= closes)).toBe(true)
    }
    expect(new Set(events.map(({ start_time: start }) => start)).size).toBe(events.length)
    // A call that booked a visit shows how the agent found its time.
    const { calls } = await get<{ calls: ReadonlyArray<{ call_id: string; summary: string | null }> }>(
      "/calls?limit=100"
    )
    const booked = calls.find(({ summary }) => summary?.startsWith("An appointment") === true)
    expect(await get(`/calls/${booked?.call_id ?? ""}`)).toMatchObject({ tool_calls: [{ name: "find_slots" }] })
    // Its webhook is turned off, and nothing waits to be sent.
    expect(await get("/webhooks")).toMatchObject({ webhooks: [{ id: 1, is_active: false }] })
    expect(await get("/webhooks/1/deliveries?status=pending")).toMatchObject({ count: 0 })
    expect(await get("/webhooks/1/deliveries?status=failed")).toMatchObject({ count: totals.failures })
    // The attempts of last week are not in the log of today.
    expect((await server.stop()).stderr).not.toContain("delivery.attempted")
  })

  it("creates sign-in links with a path alone when the operating system chooses the port", async () => {
    const server = await serve(temporaryFolder(), { args: ["--demo"] })
    const [printed] = await server.wrote("stdout", /^.*after a restart\.$/ms)
    // The server does not know the port that the operating system has chosen, so a link that it creates has only a path.
    const link = await fetch(`${server.url}/api/v1/dashboard/links`, {
      method: "POST",
      headers: { authorization: `Bearer ${keyOf(printed) ?? ""}`, "content-type": "application/json" },
      body: JSON.stringify({ role: "viewer", name: "Vera" })
    })
    expect(await link.json()).toMatchObject({
      url: expect.stringMatching(/^\/dashboard\/sign-in\/[\w-]{43}$/) as unknown
    })
  })
})

const noServices: DemoText.Services = { callProvider: { _tag: "Simulated", pace: 1 }, mail: null }

/** Returns the text that a start with this database prints. */
const welcome = (database: DatabaseUrl, external = noServices) =>
  run(database, Demo.welcome(database, "http://127.0.0.1:1", external))

const run = <A, E>(
  database: DatabaseUrl,
  effect: Effect.Effect<A, E, Layer.Success<ReturnType<typeof services>>>
): Promise<A> => Effect.runPromise(Effect.provide(effect, services(database)))

const services = (database: DatabaseUrl) =>
  Provisioning.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(Accounts.layer, ApiKeys.layer, Contacts.layer, SignInLinks.layer)),
    Layer.provideMerge(Layer.mergeAll(NodeCrypto.layer, Storage.layer(database)))
  )

const inFolder = (folder: string): DatabaseUrl => ({ _tag: "File", path: join(folder, "data/frontdesk.db") })

describe("the demo account", () => {
  it("stores its key in a file that only its owner can read, and gets a new key when the file is lost (D-SRV-11)", async () => {
    const folder = temporaryFolder()
    const database = inFolder(folder)
    const keyFile = join(folder, "data/frontdesk.db.demo-key")
    const before = keyOf(await welcome(database))
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)
    rmSync(keyFile)
    const after = keyOf(await welcome(database))
    expect(after).not.toBe(before)
    expect(keyOf(await welcome(database))).toBe(after)
  })

  it("comes with a text that says whether its requests send mail and place real calls", async () => {
    const database = inFolder(temporaryFolder())
    const simulated = await welcome(database)
    expect(simulated).toContain("calls are simulated, so no telephone rings")
    expect(simulated).toContain("no mail server is configured, so no invitation is sent")
    const real = await welcome(database, {
      callProvider: {
        _tag: "Vapi",
        options: {
          apiKey: Redacted.make("hunter2"),
          phoneNumberId: "1",
          authentication: { _tag: "Secret", secret: Redacted.make("hunter2") },
          publicUrl: new URL("https://api.example.com"),
          baseUrl: new URL("http://127.0.0.1:8792/")
        }
      },
      mail: { url: Redacted.make("smtp://desk:hunter2@smtp.example.com"), from: "desk@example.com" }
    })
    expect(real).toContain("Vapi at http://127.0.0.1:8792 places a real call")
    expect(real).toContain("smtp.example.com:587 sends an invitation to customer_email")
    expect(real).not.toMatch(/simulated|no telephone|no mail server|hunter2/)
  })

  it("is not created in a database that has accounts (D-SRV-11)", async () => {
    const folder = await provisionedFolder()
    expect(keyOf(await welcome(inFolder(folder)))).toBeUndefined()
    expect((await command(folder, ["accounts", "list"])).stdout).not.toContain("Demo")
  })

  it("prints no key after the operator has revoked it", async () => {
    const database = inFolder(temporaryFolder())
    await welcome(database)
    await run(
      database,
      Effect.flatMap(ApiKeys, (apiKeys) => apiKeys.revoke(AccountId.make(1), ApiKeyId.make(1)))
    )
    expect(await welcome(database)).toBe("The demo key was revoked, so there are no requests to try.")
  })
})
