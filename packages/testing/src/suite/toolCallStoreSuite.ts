import type { AccountId } from "@frontdesk/core/access/Account"
import { SlotHolder } from "@frontdesk/core/availability/SlotHold"
import type { Call } from "@frontdesk/core/call/Call"
import type { ToolCall } from "@frontdesk/core/call/ToolCall"
import { type RepeatKey, ToolCallStore } from "@frontdesk/core/call/ToolCallStore"
import { CallStore } from "@frontdesk/core/call/CallStore"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { expect } from "./Expect.ts"
import * as Samples from "./Samples.ts"
import type { Storage, StorageLayer, SuiteOptions } from "./Storage.ts"
import { layer } from "./Tests.ts"

/** Verifies a `ToolCallStore`, and that a `CallStore` deletes the tool calls of the calls that it deletes. */
export const toolCallStoreSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: ToolCallStore`, (it) => {
    it.effect("last and ofCall return a tool call as it was stored", () =>
      Effect.gen(function* () {
        const store = yield* ToolCallStore
        const call = yield* makeCall
        const event = yield* Samples.makeCalendarEvent(call.accountId)
        const document = { odd: Samples.oddTexts, "a\u0000b": null, nested: [{ a: [true, 1e300, -0.1] }, []], "": {} }
        for (const value of [document, null, "text", false, 0, [document]]) {
          const fields = { arguments: value, answer: value, durationMillis: 1_234 }
          const inCall = yield* insert(call.accountId, { ...fields, callId: call.id })
          expect(yield* store.last(keyOf(inCall))).toEqual(Option.some(inCall))
          const booked = yield* insert(call.accountId, { ...fields, eventId: event.id })
          expect(booked.id).toBeGreaterThan(inCall.id)
          expect(yield* store.last(keyOf(booked))).toEqual(Option.some(booked))
          expect((yield* store.ofCall(call.accountId, call.id, 100)).at(-1)).toEqual(inCall)
        }
      })
    )

    it.effect("last returns the newest tool call with the account, conversation, tool and digest of the key", () =>
      Effect.gen(function* () {
        const store = yield* ToolCallStore
        const { id } = yield* Samples.makeAccount()
        const older = yield* insert(id, { answer: "older", at: Samples.later(1) })
        const newer = yield* insert(id, { answer: "newer" })
        const key = keyOf(newer)
        expect(yield* store.last(key)).toEqual(Option.some(newer))
        expect(older.id).toBeLessThan(newer.id)

        const other = yield* insert((yield* Samples.makeAccount()).id)
        const elsewhere = yield* insert(id, { conversation: SlotHolder.make("call:8") })
        const moved = yield* insert(id, { tool: "move" })
        const changed = yield* insert(id, {}, "other")
        expect(yield* store.last(key)).toEqual(Option.some(newer))
        expect(yield* store.last(keyOf(other))).toEqual(Option.some(other))
        expect(yield* store.last(keyOf(elsewhere))).toEqual(Option.some(elsewhere))
        expect(yield* store.last(keyOf(moved))).toEqual(Option.some(moved))
        expect(yield* store.last(keyOf(changed, "other"))).toEqual(Option.some(changed))
        expect(yield* store.last(keyOf(moved, "other"))).toEqual(Option.none())
        const prefix = { ...key, digest: key.digest.slice(0, -1) }
        expect(yield* store.last(prefix)).toEqual(Option.none())
      })
    )

    it.effect("ofCall returns the tool calls of a call of the account, the earliest first, up to the limit", () =>
      Effect.gen(function* () {
        const store = yield* ToolCallStore
        const call = yield* makeCall
        const second = yield* makeCall
        const other = yield* Samples.makeCall(call.accountId, call.agent)
        // A tool call that changes no calendar event is stored after its answer, so a later one may be stored before it.
        const stored = yield* Effect.forEach([3, 1, 2, 1], (minutes) =>
          insert(call.accountId, { callId: call.id, at: Samples.later(minutes) })
        )
        const made = [1, 3, 2, 0].map((index) => stored[index])
        const ofSecond = yield* insert(second.accountId, { callId: second.id })
        yield* insert(call.accountId)
        const ofOther = yield* insert(call.accountId, { callId: other.id })
        expect(yield* store.ofCall(call.accountId, call.id, 100)).toEqual(made)
        expect(yield* store.ofCall(call.accountId, call.id, 2)).toEqual(made.slice(0, 2))
        expect(yield* store.ofCall(call.accountId, other.id, 100)).toEqual([ofOther])
        expect(yield* store.ofCall(second.accountId, second.id, 100)).toEqual([ofSecond])
        expect(yield* store.ofCall(second.accountId, call.id, 100)).toEqual([])
      })
    )

    it.effect("countOfCall returns how many tool calls of a call of the account are stored", () =>
      Effect.gen(function* () {
        const store = yield* ToolCallStore
        const call = yield* makeCall
        const second = yield* makeCall
        const other = yield* Samples.makeCall(call.accountId, call.agent)
        expect(yield* store.countOfCall(call.accountId, call.id)).toBe(0)
        const fields = { callId: call.id, arguments: null, answer: null }
        for (const one of [{ callId: call.id }, { callId: call.id }, fields, { callId: other.id }, { callId: null }]) {
          yield* insert(call.accountId, one)
        }
        expect(yield* store.countOfCall(call.accountId, call.id)).toBe(3)
        expect(yield* store.countOfCall(call.accountId, other.id)).toBe(1)
        expect(yield* store.countOfCall(second.accountId, call.id)).toBe(0)
        expect(yield* store.countOfCall(second.accountId, second.id)).toBe(0)
      })
    )

    it.effect("a tool call is deleted with its call, and with no other one", () =>
      Effect.gen(function* () {
        const store = yield* ToolCallStore
        const calls = yield* CallStore
        // Before the calls of other tests, so that the sweep deletes only this one.
        const call = yield* makeEndedCall(-60_000)
        const running = yield* makeCall
        const gone = yield* insert(call.accountId, { callId: call.id })
        const [inCall, alone] = [
          yield* insert(running.accountId, { callId: running.id }),
          yield* insert(call.accountId, { conversation: SlotHolder.make("key:1") })
        ]
        yield* Samples.sweepAll(calls, Samples.later(-59_000))
        expect(yield* store.ofCall(call.accountId, call.id, 100)).toEqual([])
        expect(yield* store.last(keyOf(gone))).toEqual(Option.none())
        expect(yield* store.ofCall(running.accountId, running.id, 100)).toEqual([inCall])
        expect(yield* store.last(keyOf(alone))).toEqual(Option.some(alone))
      })
    )

    it.effect("sweep deletes tool calls without a call from before an instant, the oldest first", () =>
      Effect.gen(function* () {
        const store = yield* ToolCallStore
        const call = yield* makeCall
        const before = Samples.later(long + 3)
        yield* emptyBefore(before)
        const make = (tool: string, minutes: number, fields: Partial<ToolCall> = {}) =>
          insert(call.accountId, { tool, at: Samples.later(long + minutes), ...fields })
        const made = [
          yield* make("second", 2),
          yield* make("first", 1),
          yield* make("at the instant", 3),
          yield* make("in a call", 0, { callId: call.id })
        ]
        const last = { ...keyOf(yield* make("third", 3)), tool: "third" }
        const just = yield* insert(call.accountId, { tool: "just before", at: Samples.justBefore(long + 3) })
        const left = Effect.map(
          Effect.forEach([...made, just], (one) => store.last(keyOf(one))),
          (found) => found.flatMap((one) => (Option.isSome(one) ? [one.value.tool] : []))
        )
        expect(yield* store.sweep(before, Samples.rowLimit(1))).toBe(1)
        expect(yield* left).toEqual(["second", "at the instant", "in a call", "just before"])
        expect(yield* store.sweep(before, Samples.rowLimit(10))).toBe(2)
        expect(yield* left).toEqual(["at the instant", "in a call"])
        expect(yield* store.sweep(before, Samples.rowLimit(10))).toBe(0)
        expect(Option.isSome(yield* store.last(last))).toBe(true)
        yield* emptyBefore(Samples.later(long + 4))
      })
    )

    it.effect("sweep deletes tool calls up to its limits of rows and bytes, but always one", () =>
      Effect.gen(function* () {
        const store = yield* ToolCallStore
        const { id } = yield* Samples.makeAccount()
        const before = Samples.later(long)
        yield* emptyBefore(before)
        // A storage may compress what it stores, so the text must be incompressible.
        const text = Samples.incompressibleText(1_000)
        // The limit of bytes counts the arguments and the answer.
        const documents = [
          { arguments: text, answer: null },
          { arguments: null, answer: text }
        ]
        for (const fields of [...documents, ...documents, ...documents]) {
          yield* insert(id, { ...fields, at: Samples.later(long - 1) })
        }
        const sweep = (rows: number, bytes: number) => store.sweep(before, { rows, bytes })
        expect(yield* sweep(2, 1_000_000)).toBe(2)
        expect(yield* sweep(100, 2_500)).toBe(2)
        expect(yield* sweep(100, 1)).toBe(1)
        expect(yield* sweep(100, 1_000_000)).toBe(1)
        expect(yield* sweep(100, 1_000_000)).toBe(0)
      })
    )

    it.effect(
      "sweepContents clears arguments and answers from before an instant, of calls that ended before it, the oldest first",
      () =>
        Effect.gen(function* () {
          const store = yield* ToolCallStore
          const before = Samples.later(ended + 3)
          yield* clearBefore(before)
          const call = yield* makeEndedCall(ended + 1)
          const event = yield* Samples.makeCalendarEvent(call.accountId)
          const make = (tool: string, at: ToolCall["at"], fields: Partial<ToolCall> = {}) =>
            insert(call.accountId, { callId: call.id, tool, at, ...fields })
          const second = yield* make("second", Samples.later(ended + 2), { answer: null, eventId: event.id })
          const first = yield* make("first", Samples.later(ended + 1), { arguments: null })
          // A provider may report a tool call after the end of its call.
          const third = yield* make("third", Samples.justBefore(ended + 3), { durationMillis: 1_234 })
          const empty = yield* make("empty", Samples.later(ended), { arguments: null, answer: null })
          const atInstant = yield* make("at the instant", Samples.later(ended + 3))
          const alone = yield* make("alone", Samples.later(ended), { callId: null })
          const elsewhere = Effect.fnUntraced(function* (of: Effect.Effect<Call, StorageError, Storage>) {
            const { accountId, id } = yield* of
            return yield* insert(accountId, { callId: id, at: Samples.later(ended) })
          })
          const untouched = [yield* elsewhere(makeEndedCall(ended + 3)), yield* elsewhere(makeCall), atInstant, alone]
          const cleared = (one: ToolCall) => ({ ...one, arguments: null, answer: null })
          const shown = store.ofCall(call.accountId, call.id, 100)

          expect(yield* store.sweepContents(before, Samples.rowLimit(1))).toBe(1)
          expect(yield* shown).toEqual([empty, cleared(first), second, third, atInstant])
          expect(yield* store.sweepContents(before, Samples.rowLimit(10))).toBe(2)
          expect(yield* shown).toEqual([empty, cleared(first), cleared(second), cleared(third), atInstant])
          expect(yield* store.sweepContents(before, Samples.rowLimit(10))).toBe(0)
          for (const one of [first, second, third]) expect(yield* store.last(keyOf(one))).toEqual(Option.none())
          for (const one of untouched) expect(yield* store.last(keyOf(one))).toEqual(Option.some(one))
          yield* deleteEndedCalls
        })
    )

    it.effect("sweepContents clears tool calls up to its limits of rows and bytes, but always one", () =>
      Effect.gen(function* () {
        const store = yield* ToolCallStore
        const before = Samples.later(ended)
        yield* clearBefore(before)
        const call = yield* makeEndedCall(ended - 1)
        const text = Samples.incompressibleText(1_000)
        const documents = [
          { arguments: text, answer: null },
          { arguments: null, answer: text }
        ]
        for (const fields of [...documents, ...documents, ...documents]) {
          yield* insert(call.accountId, { ...fields, callId: call.id, at: Samples.later(ended - 1) })
        }
        const sweep = (rows: number, bytes: number) => store.sweepContents(before, { rows, bytes })
        expect(yield* sweep(2, 1_000_000)).toBe(2)
        expect(yield* sweep(100, 2_500)).toBe(2)
        expect(yield* sweep(100, 1)).toBe(1)
        expect(yield* sweep(100, 1_000_000)).toBe(1)
        expect(yield* sweep(100, 1_000_000)).toBe(0)
        yield* deleteEndedCalls
      })
    )
  })
}

/** Before the tool calls of other tests, so that a sweep deletes only those of its own test. */
const long = -50_000

/** Before the calls of other tests, so that a sweep clears only tool calls of its own test. */
const ended = -62_000

const digest = "d".repeat(64)

/** Stores a tool call, by default one of no call, and returns it. */
const insert = (accountId: AccountId, fields: Partial<Omit<ToolCall, "id">> = {}, of: string = digest) =>
  Effect.flatMap(ToolCallStore, (store) => store.insert(Samples.newToolCall(accountId, fields), of))

const keyOf = ({ accountId, conversation, tool }: ToolCall, of: string = digest): RepeatKey => ({
  accountId,
  conversation,
  tool,
  digest: of
})

const makeEndedCall = Effect.fnUntraced(function* (minutes: number) {
  const { id } = yield* Samples.makeAccount()
  const endedAt = Samples.later(minutes)
  return yield* Samples.makeCall(id, yield* Samples.makeAgent(id), { status: "completed", endedAt })
})

const makeCall = Effect.gen(function* () {
  const { id } = yield* Samples.makeAccount()
  return yield* Samples.makeCall(id, yield* Samples.makeAgent(id))
})

/** Clears the tool calls of ended calls from before an instant, which other tests or runs have left. */
const clearBefore = Effect.fnUntraced(function* (before: ToolCall["at"]) {
  const store = yield* ToolCallStore
  while ((yield* store.sweepContents(before, Samples.rowLimit(1_000))) > 0) continue
})

/** Deletes the calls of the tests of `sweepContents`, which other tests would sweep. */
const deleteEndedCalls = Effect.flatMap(CallStore, (calls) => Samples.sweepAll(calls, Samples.later(ended + 4)))

/** Deletes the tool calls without a call from before an instant, which other tests or runs have left. */
const emptyBefore = (before: ToolCall["at"]) =>
  Effect.flatMap(ToolCallStore, (store) => Samples.sweepAll(store, before))
