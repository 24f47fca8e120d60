import { SqliteStorage } from "@frontdesk/storage-sqlite"
import * as LogCapture from "@frontdesk/testing/LogCapture"
import * as Layer from "effect/Layer"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Caller, makeTestApi, type TestAnswer, type TestApi, textOf } from "../testApi.ts"

const base = "/api/v1/api-keys"

describe("the value of an API key (D-KEY-4, D-KEY-5, D-IDEM-11)", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "frontdesk-keys-"))
  const filename = path.join(folder, "frontdesk.db")
  const lines: Array<string> = []
  let api: TestApi
  let caller: Caller
  beforeAll(async () => {
    const storage = Layer.orDie(SqliteStorage.layer({ filename }))
    api = await makeTestApi(
      Layer.merge(
        storage,
        LogCapture.layer(({ json }) => void lines.push(json), "All")
      )
    )
    caller = await api.caller()
  })
  afterAll(async () => {
    await api.close()
    fs.rmSync(folder, { recursive: true })
  })

  /** Returns everything that is stored: the database with its journal, as text. */
  const stored = () =>
    fs
      .readdirSync(folder)
      .map((name) => fs.readFileSync(path.join(folder, name), "latin1"))
      .join("\n")

  it("is in exactly one answer, in no list, in no log line, and not in clear in the database", async () => {
    const answers: Array<TestAnswer> = []
    const post = async (path: string, body: unknown, key?: string) => {
      const answer = await caller.post(path, body, key === undefined ? {} : { "idempotency-key": key })
      answers.push(answer)
      return answer
    }
    const body = { name: "Recognisable name", permissions: ["can_read_calls"] }
    const created = await post(`${base}/create`, body, "create")
    const replayed = await post(`${base}/create`, body, "create")
    const id = textOf(created.json["id"])
    const rotated = await post(`${base}/${id}/rotate`, { grace_hours: 1 }, "rotate")
    const replayedRotation = await post(`${base}/${id}/rotate`, { grace_hours: 1 }, "rotate")
    const forced = await post(`${base}/${id}/rotate`, { force: true })
    await post(`${base}/${id}/rotate`, {})
    answers.push(await caller.get(base), await caller.get(`${base}/${id}`))
    for (const { json } of [created, rotated, forced]) {
      const headers = { authorization: `Bearer ${textOf(json["value"])}` }
      answers.push(await api.ask("/api/v1/calls", { headers }), await api.ask(base, { headers }))
    }
    await post(`${base}/${id}/revoke`, {})

    for (const replay of [replayed, replayedRotation]) {
      expect(replay.headers.get("idempotent-replayed")).toBe("true")
      expect(replay.json).toMatchObject({ id: created.json["id"], value: null })
    }
    const values = [created, rotated, forced].map(({ json }) => textOf(json["value"]))
    expect(new Set(values).size).toBe(3)
    const [log, database] = [lines.join("\n"), stored()]
    // The search itself works: what may be stored is found.
    expect(database).toContain(body.name)
    for (const value of values) {
      expect(value).toMatch(/^fd_live_/)
      expect(answers.filter(({ text }) => text.includes(value))).toHaveLength(1)
      expect([log.includes(value), database.includes(value)]).toEqual([false, false])
    }
  })
})
