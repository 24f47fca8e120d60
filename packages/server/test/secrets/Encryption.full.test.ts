import { createHmac, randomBytes } from "node:crypto"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { acmeKey, ask } from "../support/acme.ts"
import { command } from "../support/command.ts"
import { provisionedFolder, run, serve, type Server } from "../support/inProcess.ts"
import { linesOf } from "../support/logLines.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"
import { receiver } from "../support/http.ts"

const keyOf = (version: string) => `${version}:${randomBytes(32).toString("base64")}`

const issued = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.Int, secret: Schema.String }))
const rotated = Schema.decodeUnknownSync(Schema.Struct({ secret: Schema.String }))
const written = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.Int }))
const linked = Schema.decodeUnknownSync(Schema.Struct({ ics_url: Schema.String }))

const start = (folder: string, keys: string) =>
  serve(folder, { args: ["--webhook-allow-insecure"], settings: { FRONTDESK_SECRET_KEYS: keys } })

/** Sends a POST with an idempotency key. Returns the answer, and whether it is a replay. */
const keyed = async (
  server: Server,
  path: string,
  key: string,
  body: unknown
): Promise<{ readonly status: number; readonly replayed: boolean; readonly body: unknown }> => {
  const answer = await fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${acmeKey}`, "content-type": "application/json", "idempotency-key": key },
    body: JSON.stringify(body)
  })
  return {
    status: answer.status,
    replayed: answer.headers.get("idempotent-replayed") === "true",
    body: await answer.json()
  }
}

/** Returns the body that a replay of this answer has: a replay never shows a secret. */
const withoutSecret = (body: unknown): unknown => ({
  ...(typeof body === "object" ? body : {}),
  secret: null,
  message: "This is a replay of an earlier answer and does not contain the secret. Rotate the secret if it was lost"
})

const createPath = "/api/v1/api/webhooks/create"
const hook = (url: string) => ({ name: "w", url: `${url}/hook`, subscribed_events: ["calendar.created"] })

/** Returns byte sequences that reveal a secret: its text, its random part, the start of that, and the decoded bytes. */
const revealingBytes = (secret: string): ReadonlyArray<Buffer> => {
  const payload = secret.replace("whsec_", "")
  return [Buffer.from(secret), Buffer.from(payload), Buffer.from(payload.slice(0, 20)), Buffer.from(payload, "base64")]
}

/** Returns the files of the database that contain one of the secrets in any form. */
const filesWith = (folder: string, ...secrets: ReadonlyArray<string>): ReadonlyArray<string> => {
  const data = join(folder, "data")
  const files = readdirSync(data)
  expect(files).toContain("frontdesk.db")
  return files.filter((file) => {
    const bytes = readFileSync(join(data, file))
    return secrets.flatMap(revealingBytes).some((secret) => bytes.includes(secret))
  })
}

const secrets = (folder: string, keys: string, ...args: ReadonlyArray<string>) =>
  command(folder, ["secrets", ...args], { FRONTDESK_SECRET_KEYS: keys })

describe("a server without a secret key", () => {
  it("writes its secrets in plain text to its database, where the search of the next tests finds them", async () => {
    const folder = await provisionedFolder()
    const server = await start(folder, "")
    const { secret } = issued(await (await ask(server.url, createPath, hook("http://127.0.0.1:9"))).json())
    expect(filesWith(folder, secret)).not.toEqual([])
    await server.stop()
  })
})

describe("a server with a secret key", () => {
  it("writes no secret in plain text to its database, the write-ahead log or its own log", async () => {
    const folder = await provisionedFolder()
    const key = keyOf("v1")
    const server = await start(folder, key)
    const target = await receiver(204)
    const plain = issued(await (await ask(server.url, createPath, hook(target.url))).json())
    const first = await keyed(server, createPath, "create-1", hook(target.url))
    const again = await keyed(server, createPath, "create-1", hook(target.url))
    expect(first.replayed).toBe(false)
    expect(again).toEqual({ ...first, replayed: true, body: withoutSecret(first.body) })
    const path = `/api/v1/webhooks/${plain.id}/rotate-secret`
    const rotation = await keyed(server, path, "rotate-1", {})
    expect(await keyed(server, path, "rotate-1", {})).toEqual({
      ...rotation,
      replayed: true,
      body: withoutSecret(rotation.body)
    })

    const shown = [plain.secret, issued(first.body).secret, rotated(rotation.body).secret]
    expect(new Set(shown).size).toBe(3)
    // The server still runs, so that the last writes are in the write-ahead log.
    expect(readdirSync(join(folder, "data"))).toContain("frontdesk.db-wal")
    expect(filesWith(folder, ...shown)).toEqual([])
    const { stderr } = await server.stop()
    for (const secret of [...shown, key, key.slice(3)]) expect(stderr).not.toContain(secret)
    expect(filesWith(folder, ...shown)).toEqual([])
  })

  it("does not start when a key in use is missing or differs, and names its version without printing a key (D-SEC-3)", async () => {
    const folder = await provisionedFolder()
    const [key, other, same] = [keyOf("2026-11"), keyOf("2027-01"), keyOf("2026-11")]
    const server = await start(folder, key)
    issued(await (await ask(server.url, createPath, hook("http://127.0.0.1:9"))).json())
    await server.stop()
    for (const [keys, message] of [
      ["", 'sealed with the key version "2026-11", which is not given'],
      [other, 'sealed with the key version "2026-11", which is not given'],
      [same, 'does not open with the key version "2026-11"']
    ] as const) {
      const settings = { FRONTDESK_SECRET_KEYS: keys, FRONTDESK_PORT: "0", FRONTDESK_LOG_LEVEL: "none" }
      const { code, stderr } = await command(folder, ["serve"], settings)
      expect(code).toBe(1)
      expect(stderr).toContain(message)
      expect(stderr).toContain("FRONTDESK_SECRET_KEYS")
      for (const text of [key, other, same]) expect(stderr).not.toContain(text.split(":")[1])
    }
    const wrong = `v1:${randomBytes(31).toString("base64")}`
    const { code, stderr } = await run(folder, ["serve"], { settings: { FRONTDESK_SECRET_KEYS: wrong } })
    expect(code).toBe(2)
    expect(stderr).toContain("FRONTDESK_SECRET_KEYS: Expected keys of 32 bytes in base64")
    expect(stderr).not.toContain(wrong.slice(3))
  })

  it("signs with the same webhook secret through a key rotation, reseals and the return to plain, and can then rotate it (D-SEC-2)", async () => {
    const folder = await provisionedFolder()
    const target = await receiver(204)
    const [old, next] = [keyOf("old"), keyOf("new")]
    // The webhook and the event are created before there is a key.
    let server = await start(folder, "")
    const { id, secret } = issued(await (await ask(server.url, createPath, hook(target.url))).json())
    const body = { title: "Visit", start_time: "2030-01-01T10:00:00", end_time: "2030-01-01T11:00:00" }
    const createEvent = async () =>
      written(await (await ask(server.url, "/api/v1/calendar/events/create", body)).json()).id
    const first = await createEvent()
    const link = linked(await (await ask(server.url, `/api/v1/calendar/events/${first}`)).json()).ics_url

    /** Checks that the next delivery is signed with the secret that the server returned for the new webhook. */
    const expectSigned = async () => {
      const before = target.received.length
      await createEvent()
      await expect.poll(() => target.received.length, { timeout: 20_000 }).toBe(before + 1)
      const { body, headers } = target.received[before] ?? { body: "", headers: undefined }
      expect(headers?.["x-service-signature"]).toBe(createHmac("sha256", secret).update(body).digest("hex"))
    }
    await expect.poll(() => target.received.length, { timeout: 20_000 }).toBe(1)

    const versions = async (keys: string) => {
      const { stdout } = await secrets(folder, keys, "status", "--json")
      const { secrets: rows } = status(JSON.parse(stdout))
      return rows.map(({ count, kind, unreadable, version }) => `${kind} ${version} ${count} ${unreadable}`)
    }
    for (const [keys, version] of [
      [old, "old"],
      [`${next},${old}`, "new"],
      [next, "new"],
      [`plain,${next}`, "plain"],
      ["", "plain"]
    ] as const) {
      await server.stop()
      server = await start(folder, keys)
      await expectSigned()
      const resealed = await secrets(folder, keys, "reseal")
      expect(resealed).toMatchObject({ code: 0, stderr: "" })
      expect(await versions(keys)).toEqual([`installation ${version} 3 0`, `webhook ${version} 1 0`])
      await expectSigned()
      expect((await fetch(`${server.url}${link}`)).status).toBe(200)
    }
    const { secret: replaced } = rotated(
      await (await ask(server.url, `/api/v1/webhooks/${id}/rotate-secret`, { grace_hours: 0 })).json()
    )
    expect(replaced).not.toBe(secret)
    await server.stop()
  })

  it("starts again after its key was lost and the unreadable secrets were replaced", async () => {
    const folder = await provisionedFolder()
    const server = await start(folder, keyOf("lost"))
    const { id } = issued(await (await ask(server.url, createPath, hook("http://127.0.0.1:9"))).json())
    await server.stop()
    const next = keyOf("new")
    const refused = await secrets(folder, next, "reseal")
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain("4 secrets cannot be opened")
    const replace = (keys: string, ...versions: ReadonlyArray<string>) =>
      secrets(folder, keys, "reseal", ...versions.flatMap((version) => ["--replace-unreadable", version]))
    // The operator forgets the variable, or mistypes the version.
    const forgotten = await replace("", "lost")
    expect(forgotten).toMatchObject({ code: 2, stdout: "" })
    expect(forgotten.stderr).toContain("No key is given")
    const mistyped = await replace(next, "lost", "last")
    expect(mistyped).toMatchObject({ code: 1, stdout: "" })
    expect(mistyped.stderr).toContain('No secret is sealed with the key version "last"; nothing was changed')
    expect((await replace(next, "not a version")).code).toBe(2)
    const unchanged = await secrets(folder, "", "status", "--json")
    expect(status(JSON.parse(unchanged.stdout)).secrets.map(({ version }) => version)).toEqual(["lost", "lost"])
    const { code, stdout } = await replace(next, "lost")
    expect(code).toBe(0)
    expect(stdout).toContain(`Webhooks whose secret must be rotated: ${id}`)
    await (await start(folder, next)).stop()
  })

  it("lets reseal replace secrets of a lost key with plain ones when the keys are plain", async () => {
    const folder = await provisionedFolder()
    const server = await start(folder, keyOf("lost"))
    await server.stop()
    const { code } = await secrets(folder, "plain", "reseal", "--replace-unreadable", "lost")
    expect(code).toBe(0)
    const { stdout } = await secrets(folder, "", "status")
    expect(stdout).toMatch(/installation +plain +3 +0/)
  })

  it("logs at its start how many secrets are stored without encryption", async () => {
    const folder = await provisionedFolder()
    await (await start(folder, "")).stop()
    const { stderr } = await (await start(folder, keyOf("v1"))).stop()
    expect(linesOf(stderr, "secrets.plain")).toMatchObject([{ level: "WARN", annotations: { secrets: 3 } }])
    expect(linesOf((await (await start(folder, "")).stop()).stderr, "secrets.plain")).toEqual([])
  })

  it("reads its keys from the lines of a file, and exits with 2 when a file and a variable give keys", async () => {
    const folder = await provisionedFolder()
    const [next, old] = [keyOf("new"), keyOf("old")]
    const file = join(folder, "keys")
    writeFileSync(file, `${next}\n${old}\n`)
    const server = await serve(folder, { args: ["--secret-keys-file", file] })
    issued(
      await (await ask(server.url, createPath, { ...hook("https://example.com"), url: "https://1.1.1.1/" })).json()
    )
    await server.stop()
    const { stdout } = await command(folder, ["secrets", "status"], { FRONTDESK_SECRET_KEYS_FILE: file })
    expect(stdout).toMatch(/webhook +new +1 +0/)
    const twice = await secrets(folder, old, "status", "--secret-keys-file", file)
    expect(twice.code).toBe(2)
    expect(twice.stderr).toContain("FRONTDESK_SECRET_KEYS is given too")
    const missing = await secrets(folder, "", "status", "--secret-keys-file", `${file}.gone`)
    expect(missing.code).toBe(2)
    expect(missing.stderr).toContain("a file that can be read")
  })
})

describe("frontdesk secrets generate-key", () => {
  it("prints 32 random bytes in base64", async () => {
    const folder = temporaryFolder()
    const generated = await Promise.all([1, 2].map(() => secrets(folder, "", "generate-key")))
    const keys = generated.map(({ stdout }) => stdout.trim())
    expect(new Set(keys).size).toBe(2)
    for (const key of keys) expect(Buffer.from(key, "base64")).toHaveLength(32)
  })
})

const status = Schema.decodeUnknownSync(
  Schema.Struct({
    current: Schema.String,
    secrets: Schema.Array(
      Schema.Struct({ kind: Schema.String, version: Schema.String, count: Schema.Int, unreadable: Schema.Int })
    )
  })
)
