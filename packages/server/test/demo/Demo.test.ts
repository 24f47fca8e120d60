import { execFile, spawnSync } from "node:child_process"
import { rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { Accounts } from "@frontdesk/core/account/Accounts"
import { ApiKeyId } from "@frontdesk/core/access/ApiKey"
import { AccountId } from "@frontdesk/core/access/Account"
import { ApiKeys } from "@frontdesk/core/access/ApiKeys"
import { Contacts } from "@frontdesk/core/contact/Contacts"
import { Provisioning } from "@frontdesk/core/provisioning/Provisioning"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import * as Demo from "frontdesk/demo/Demo"
import type * as DemoText from "frontdesk/demo/DemoText"
import * as NodeCrypto from "frontdesk/NodeCrypto"
import type { DatabaseUrl } from "frontdesk/settings/DatabaseUrl"
import * as Storage from "frontdesk/Storage"
import { acme } from "../support/acme.ts"
import { command } from "../support/command.ts"
import { serve } from "../support/inProcess.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"
import { freePort } from "../support/http.ts"
import { anyText } from "../support/matching.ts"

const hasCurl = spawnSync("curl", ["--version"]).status === 0

/** Pastes a line into a shell; where there is no curl, does what the line says. */
const paste = async (line: string): Promise<unknown> => {
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

describe("frontdesk serve --demo", () => {
  it("prints three requests that work as they are, again after a restart, and the same key", async () => {
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
        expect(await paste(request)).toMatchObject(answers[index] ?? {})
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
})

const nobody: DemoText.Outside = { callProvider: { _tag: "Simulated", pace: 1 }, mail: null }

/** What a start with this database prints. */
const welcome = (database: DatabaseUrl, outside = nobody) =>
  run(database, Demo.welcome(database, "http://127.0.0.1:1", outside))

const run = <A, E>(
  database: DatabaseUrl,
  effect: Effect.Effect<A, E, Layer.Success<ReturnType<typeof services>>>
): Promise<A> => Effect.runPromise(Effect.provide(effect, services(database)))

const services = (database: DatabaseUrl) =>
  Provisioning.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(Accounts.layer, ApiKeys.layer, Contacts.layer)),
    Layer.provideMerge(Layer.mergeAll(NodeCrypto.layer, Storage.layer(database)))
  )

const inFolder = (folder: string): DatabaseUrl => ({ _tag: "File", path: join(folder, "data/frontdesk.db") })

describe("the demo account", () => {
  it("keeps its key where the owner alone can read it, and gets a new one when that is lost (D-SRV-11)", async () => {
    const folder = temporaryFolder()
    const database = inFolder(folder)
    const kept = join(folder, "data/frontdesk.db.demo-key")
    const before = keyOf(await welcome(database))
    expect(statSync(kept).mode & 0o777).toBe(0o600)
    rmSync(kept)
    const after = keyOf(await welcome(database))
    expect(after).not.toBe(before)
    expect(keyOf(await welcome(database))).toBe(after)
  })

  it("says who is called and mailed by the requests, as it is set up", async () => {
    const database = inFolder(temporaryFolder())
    const quiet = await welcome(database)
    expect(quiet).toContain("calls are simulated, so nobody's telephone rings")
    expect(quiet).toContain("nobody is mailed")
    const loud = await welcome(database, {
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
    expect(loud).toContain("Vapi at http://127.0.0.1:8792 is asked to place this call")
    expect(loud).toContain("customer_email is mailed an invitation through smtp.example.com:587")
    expect(loud).not.toMatch(/simulated|nobody|hunter2/)
  })

  it("is not made in a database that has accounts (D-SRV-11)", async () => {
    const folder = temporaryFolder()
    const file = join(folder, "acme.json")
    writeFileSync(file, JSON.stringify(acme))
    await command(folder, ["provision", file])
    expect(keyOf(await welcome(inFolder(folder)))).toBeUndefined()
    expect((await command(folder, ["accounts", "list"])).stdout).not.toContain("Demo")
  })

  it("shows no key any more once it was revoked", async () => {
    const database = inFolder(temporaryFolder())
    await welcome(database)
    await run(
      database,
      Effect.flatMap(ApiKeys, (apiKeys) => apiKeys.revoke(AccountId.make(1), ApiKeyId.make(1)))
    )
    expect(await welcome(database)).toBe("The demo key was revoked, so there are no requests to show.")
  })
})
