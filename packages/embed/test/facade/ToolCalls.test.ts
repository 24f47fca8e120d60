import { DatabaseSync } from "node:sqlite"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Frontdesk, type ToolCall } from "@frontdesk/embed"
import { describe, expect, it } from "vitest"
import { document, withFrontdesk } from "../opened.ts"

const phoneCall = { phoneNumber: "+12025550123", agentId: "asst_ada" }

describe("the tool calls of a call", () => {
  it("are shown by calls.get, and not by lists, starts and hang-ups", async () => {
    const folder = mkdtempSync(join(tmpdir(), "frontdesk-embed-"))
    const sqlite = join(folder, "frontdesk.db")
    const frontdesk = await Frontdesk.open({ storage: { sqlite }, workers: false })
    try {
      await frontdesk.provision(document)
      const { calls } = frontdesk.as("acme")
      const { call } = await calls.start(phoneCall)
      expect(call).not.toHaveProperty("toolCalls")
      expect((await calls.get(call.id)).toolCalls).toEqual([])
      const database = new DatabaseSync(sqlite)
      database
        .prepare(
          `INSERT INTO tool_call (account_id, call_id, conversation, tool, digest, arguments, answer, duration_millis, at)
            VALUES (?, ?, 'call:1', 'book', 'digest', ?, ?, 35, ?)`
        )
        .run(call.accountId, call.id, '{"slot_id":"s","at":"noon"}', '{"say":"Booked."}', Date.UTC(2026, 2, 2))
      database.close()
      const toolCalls: ReadonlyArray<ToolCall> = (await calls.get(call.callId)).toolCalls
      expect(toolCalls).toEqual([
        {
          name: "book",
          arguments: { slot_id: "s", at: "noon" },
          answer: { say: "Booked." },
          durationMs: 35,
          at: "2026-03-02T00:00:00.000Z"
        }
      ])
      expect((await calls.list()).items[0]).not.toHaveProperty("toolCalls")
      expect((await calls.hangUp(call.id)).call).not.toHaveProperty("toolCalls")
    } finally {
      await frontdesk.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it("are not in the rows that an iterated list reads again with their large fields", () =>
    withFrontdesk(async (frontdesk) => {
      const { calls } = frontdesk.as("acme")
      // In JSON this character takes 6 bytes.
      const text = "\u0001".repeat(1_000)
      const variables = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`v${n}`, text]))
      for (let n = 1; n <= 9; n++) await calls.start({ ...phoneCall, variables })
      expect((await calls.list()).truncated?.length).toBeGreaterThan(0)
      const all = await Array.fromAsync(calls.list())
      expect(all.map((call) => [call.variables["v39"], "toolCalls" in call])).toEqual(
        Array.from({ length: 9 }, () => [text, false])
      )
    }))
})
