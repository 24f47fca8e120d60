import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { English } from "@frontdesk/agent-tools"
import { CalendarSync } from "@frontdesk/core/external-calendar/CalendarSync"
import { PostgresStorage } from "@frontdesk/storage-postgres"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Adapters } from "frontdesk/Assembly"
import { describe, expect, it } from "vitest"
import * as Nodes from "../nodes/Nodes.ts"
import { acme, ask } from "../support/acme.ts"
import { provision, serve } from "../support/inProcess.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"

/*
 * Each test keeps something slow until the tool has answered. So a tool that waited for it would never answer, or would
 * answer with another error after the timeout of the database or of the calendar. `Toolbox.test.ts` checks the 2 seconds
 * with a clock of the test.
 */

/** The answer of a tool that has reached its limit of 2 seconds. */
const tookTooLong = { error: "timeout", say: English.english.timeout }

const Reply = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.Struct({ result: Schema.Struct({ structuredContent: Schema.Record(Schema.String, Schema.Json) }) })
  )
)

const Found = Schema.decodeUnknownSync(
  Schema.Struct({ slots: Schema.Array(Schema.Struct({ slot_id: Schema.String })) })
)

const toolCall = (name: string, args: object) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: args }
})

/** Calls a tool, and returns its structured answer. */
type Call = (name: string, args: object) => Promise<Readonly<Record<string, Schema.Json>>>

const callAt =
  (url: string): Call =>
  async (name, args) => {
    const answer = await ask(url, "/mcp", toolCall(name, args))
    return Reply(await answer.text()).result.structuredContent
  }

const callOn =
  (node: Nodes.Node): Call =>
  async (name, args) =>
    Reply(Nodes.expectOk(await node.ask("POST", "/mcp", toolCall(name, args))).body).result.structuredContent

/** Returns the search of two weeks that begin in some days. */
const search = (inDays: number) => {
  const date = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  return { from_date: date(inDays), to_date: date(inDays + 13), duration_minutes: 30 }
}

/** Returns two offered slots. */
const slotsOf = async (call: Call): Promise<readonly [string, string]> => {
  const [first, second] = Found(await call("find_slots", search(2))).slots
  if (first === undefined || second === undefined) throw new Error("Fewer than two slots were offered")
  return [first.slot_id, second.slot_id]
}

/** An external calendar of every account. While it hangs, no read of it ends. */
const hangingCalendar = () => {
  const state = { isHanging: false, waiting: 0 }
  const read = Effect.suspend(() => {
    if (!state.isHanging) return Effect.succeed([])
    state.waiting += 1
    return Effect.never
  })
  const connected = [{ provider: "google", calendar: "primary", updatedAt: DateTime.makeUnsafe(0) }] as const
  const around = (adapters: Adapters): Adapters =>
    Layer.effect(
      CalendarSync,
      Effect.map(CalendarSync, (sync) =>
        CalendarSync.of({ ...sync, connected: () => Effect.succeed(connected), busy: () => read })
      )
    ).pipe(Layer.provideMerge(adapters))
  return { state, around }
}

/** Locks the calendar of every account in PostgreSQL until it is released, as a booking does until its commit. */
const lockCalendars = async (url: string) => {
  const locked = Deferred.makeUnsafe<void>()
  const released = Deferred.makeUnsafe<void>()
  const fiber = Effect.runFork(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql.withTransaction(
        Effect.gen(function* () {
          const rows =
            yield* sql`SELECT number FROM named_lock WHERE name = 'CalendarEventStore.lockCalendar' FOR UPDATE`
          expect(rows).not.toEqual([])
          yield* Deferred.succeed(locked, undefined)
          yield* Deferred.await(released)
        })
      )
    }).pipe(Effect.provide(PostgresStorage.layerClient({ url: Redacted.make(url), maxConnections: 1 })))
  )
  await Effect.runPromise(Effect.raceFirst(Deferred.await(locked), Fiber.join(fiber)))
  return async () => {
    Deferred.doneUnsafe(released, Effect.void)
    await Effect.runPromise(Fiber.join(fiber))
  }
}

describe("a tool answers with a sentence before its 2 seconds are over", { timeout: 120_000 }, () => {
  it("when an external calendar hangs", async () => {
    const folder = temporaryFolder()
    await provision(folder, acme)
    const { around, state } = hangingCalendar()
    const call = callAt((await serve(folder, { around })).url)
    const [slotId] = await slotsOf(call)
    state.isHanging = true
    const unchecked = { error: "calendar_unavailable", say: English.english.calendarUnavailable }
    expect(await call("find_slots", search(60))).toEqual(unchecked)
    expect(await call("book", { slot_id: slotId })).toEqual(unchecked)
    expect(state.waiting).toBeGreaterThanOrEqual(2)
    state.isHanging = false
    expect(await call("book", { slot_id: slotId })).toMatchObject({ event: { status: "scheduled" } })
  })

  it("when another connection writes to the SQLite database", async () => {
    const folder = temporaryFolder()
    await provision(folder, acme)
    const call = callAt((await serve(folder)).url)
    const [slotId, other] = await slotsOf(call)
    const database = new DatabaseSync(join(folder, "data/frontdesk.db"))
    try {
      database.exec("BEGIN IMMEDIATE")
      expect(await call("book", { slot_id: slotId })).toEqual(tookTooLong)
      expect(await call("hold_slot", { slot_id: other })).toEqual(tookTooLong)
      // What only reads waits for no lock.
      expect(await slotsOf(call)).toHaveLength(2)
      database.exec("ROLLBACK")
    } finally {
      database.close()
    }
    const booked = await call("book", { slot_id: slotId })
    expect(booked).toMatchObject({ event: { status: "scheduled" } })
    expect(await call("book", { slot_id: slotId })).toEqual(booked)
  })

  it("when the calendar of the account is locked in PostgreSQL", async () => {
    await using nodes = await Nodes.open({ isInProcess: true })
    const call = callOn(await nodes.start())
    const [first] = await slotsOf(call)
    // The first booking creates the row that is locked.
    await call("book", { slot_id: first })
    const [slotId, other] = await slotsOf(call)
    const release = await lockCalendars(nodes.database.url)
    expect(await call("book", { slot_id: slotId })).toEqual(tookTooLong)
    expect(await call("hold_slot", { slot_id: other })).toEqual(tookTooLong)
    expect(await slotsOf(call)).toHaveLength(2)
    await release()
    const booked = await call("book", { slot_id: slotId })
    expect(booked).toMatchObject({ event: { status: "scheduled" } })
    expect(await call("book", { slot_id: slotId })).toEqual(booked)
    expect(await Nodes.count(nodes, "SELECT id FROM calendar_event")).toBe(2)
  })

  it("when another node is suspended during the booking that a client repeats", async () => {
    await using nodes = await Nodes.open()
    const kill = { signal: "SIGSTOP", point: "ToolCallStore.insert", when: "after", pass: 1 } as const
    const [slow, node] = await Promise.all([nodes.start({ kill }), nodes.start()])
    const call = callOn(node)
    const [slotId, other] = await slotsOf(call)
    const first = callOn(slow)("book", { slot_id: slotId })
    await Nodes.until(
      () => nodes.traced("SIGSTOP").length,
      (count) => count === 1
    )
    // The suspended node has written the booking and not committed it.
    expect(await call("book", { slot_id: slotId })).toEqual(tookTooLong)
    expect(await call("hold_slot", { slot_id: other })).toEqual(tookTooLong)
    expect(await slotsOf(call)).toHaveLength(2)
    slow.thaw()
    // The suspended node finds that its 2 seconds are over, or that its booking is complete.
    const answer = await first
    const booked = await Nodes.until(
      () => call("book", { slot_id: slotId }),
      ({ error }) => error !== "timeout"
    )
    expect(booked).toMatchObject({ event: { status: "scheduled" } })
    if (answer["error"] === undefined) expect(booked).toEqual(answer)
    else expect(answer).toEqual(tookTooLong)
    expect(await Nodes.count(nodes, "SELECT id FROM calendar_event")).toBe(1)
  })
})
