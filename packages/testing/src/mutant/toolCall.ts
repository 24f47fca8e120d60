import type { StepLimit } from "@frontdesk/core/background/Steps"
import * as Steps from "@frontdesk/core/background/Steps"
import type { ToolCall } from "@frontdesk/core/call/ToolCall"
import { type RepeatKey, ToolCallStore } from "@frontdesk/core/call/ToolCallStore"
import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { justAfter, justBefore, mutantsOf, reversed, wholeSeconds } from "./Mutant.ts"

type Store = ToolCallStore["Service"]

/** A tool call with its digest. */
interface Recorded {
  readonly call: ToolCall
  readonly digest: string
}

/** Returns an insert that records each tool call, and the list of them. */
const recording = (store: Store) => {
  const recorded: Array<Recorded> = []
  const insert: Store["insert"] = (call, digest) =>
    Effect.tap(store.insert(call, digest), (stored) => Effect.sync(() => recorded.push({ call: stored, digest })))
  return { insert, recorded }
}

const keyOf = ({ call: { accountId, conversation, tool }, digest }: Recorded): RepeatKey => ({
  accountId,
  conversation,
  tool,
  digest
})

/** Returns a mutant whose `last` compares keys without one field. */
const lastWithout =
  (field: keyof RepeatKey) =>
  (store: Store): Partial<Store> => {
    const { insert, recorded } = recording(store)
    const text = (key: RepeatKey): string => JSON.stringify({ ...key, [field]: null })
    return {
      insert,
      last: (key) =>
        Effect.gen(function* () {
          for (const one of recorded.toReversed()) {
            if (text(keyOf(one)) !== text(key)) continue
            const found = yield* store.last(keyOf(one))
            if (Option.isSome(found)) return found
          }
          return yield* store.last(key)
        })
    }
  }

/** Returns a mutant whose insert returns the given tool call, and stores another one. */
const inserting =
  (change: (call: Omit<ToolCall, "id">) => Partial<ToolCall>) =>
  (store: Store): Partial<Store> => ({
    insert: (call, digest) =>
      Effect.map(store.insert({ ...call, ...change(call) }, digest), ({ id }) => ({ ...call, id }))
  })

/** Returns a mutant that hides the tool calls that its own sweep has chosen, besides the sweep of the store. */
const hiding =
  (choose: (recorded: ReadonlyArray<ToolCall>, before: DateTime.Utc, limit: StepLimit) => ReadonlyArray<ToolCall>) =>
  (store: Store): Partial<Store> => {
    const { insert, recorded } = recording(store)
    const hidden = new Set<number>()
    return {
      insert,
      last: (key) =>
        Effect.map(
          store.last(key),
          Option.filter(({ id }) => !hidden.has(id))
        ),
      ofCall: (accountId, callId, limit) =>
        Effect.map(store.ofCall(accountId, callId, limit), (found) => found.filter(({ id }) => !hidden.has(id))),
      sweep: (before, limit) =>
        Effect.sync(() => {
          const shown = recorded.map(({ call }) => call).filter(({ id }) => !hidden.has(id))
          const chosen = choose(shown, before, limit)
          for (const { id } of chosen) hidden.add(id)
          return chosen.length
        })
    }
  }

/** Returns a mutant that clears the tool calls that its own sweep has chosen, besides the sweep of the store. */
const clearing =
  (choose: (recorded: ReadonlyArray<ToolCall>, before: DateTime.Utc, limit: StepLimit) => ReadonlyArray<ToolCall>) =>
  (store: Store): Partial<Store> => {
    const { insert, recorded } = recording(store)
    const cleared = new Set<number>()
    return {
      insert,
      last: (key) =>
        Effect.map(
          store.last(key),
          Option.filter(({ id }) => !cleared.has(id))
        ),
      ofCall: (accountId, callId, limit) =>
        Effect.map(store.ofCall(accountId, callId, limit), (found) =>
          found.map((call) => (cleared.has(call.id) ? { ...call, arguments: null, answer: null } : call))
        ),
      sweepContents: (before, limit) =>
        Effect.sync(() => {
          const left = recorded.map(({ call }) => call).filter(({ id }) => !cleared.has(id))
          const chosen = choose(left.filter(hasContents), before, limit)
          for (const { id } of chosen) cleared.add(id)
          return chosen.length
        })
    }
  }

const hasContents = (call: ToolCall): boolean => call.arguments !== null || call.answer !== null

/** Returns a mutant that still returns what its sweep has cleared. */
const uncleared =
  (left: (cleared: ToolCall, before: ToolCall) => Partial<ToolCall>) =>
  (store: Store): Partial<Store> => {
    const { insert, recorded } = recording(store)
    const restore = (call: ToolCall): ToolCall => {
      const before = recorded.find((one) => one.call.id === call.id)?.call
      return before === undefined || hasContents(call) ? call : { ...call, ...left(call, before) }
    }
    return {
      insert,
      ofCall: (accountId, callId, limit) =>
        Effect.map(store.ofCall(accountId, callId, limit), (found) => found.map(restore))
    }
  }

const bytesOf = (call: ToolCall): number => JSON.stringify([call.arguments, call.answer]).length

/** Returns the tool calls from before an instant in an order, up to the limits of a step. */
const chosenBy = (
  calls: ReadonlyArray<ToolCall>,
  { rows, bytes }: StepLimit,
  order: (a: ToolCall, b: ToolCall) => number
): ReadonlyArray<ToolCall> => Steps.within(calls.toSorted(order).slice(0, rows), bytes, bytesOf)

/** Mutants of `ToolCallStore`. */
export const toolCallStore = mutantsOf(ToolCallStore, {
  "insert stores the time in whole seconds": inserting(({ at }) => ({ at: wholeSeconds(at) })),
  "insert does not store the arguments": inserting(() => ({ arguments: {} })),
  "insert does not store the answer": inserting(() => ({ answer: {} })),
  "insert stores null in place of an empty answer": inserting(({ answer }) => ({ answer: answer || null })),
  "insert does not store how long the answer took": inserting(() => ({ durationMillis: 0 })),
  "insert does not store the calendar event": inserting(() => ({ eventId: null })),
  "insert stores a calendar event for none": inserting(({ eventId }) => ({
    eventId: eventId ?? CalendarEventId.make(1)
  })),
  "insert does not store the call": inserting(() => ({ callId: null })),
  "insert returns the first tool call for a repeat": (store) => ({
    insert: (call, digest) =>
      Effect.flatMap(
        store.last({ accountId: call.accountId, conversation: call.conversation, tool: call.tool, digest }),
        Option.match({ onNone: () => store.insert(call, digest), onSome: Effect.succeed })
      )
  }),
  "last returns the oldest tool call": (store) => {
    const { insert, recorded } = recording(store)
    return {
      insert,
      last: (key) =>
        Effect.map(
          store.last(key),
          Option.map((found) => recorded.find((one) => isOf(one, key))?.call ?? found)
        )
    }
  },
  "last returns the tool call with the latest time": (store) => {
    const { insert, recorded } = recording(store)
    return {
      insert,
      last: (key) =>
        Effect.map(
          store.last(key),
          Option.map(
            (found) =>
              recorded
                .filter((one) => isOf(one, key))
                .map(({ call }) => call)
                .toSorted((a, b) => DateTime.Order(b.at, a.at))[0] ?? found
          )
        )
    }
  },
  "last ignores the account": lastWithout("accountId"),
  "last ignores the conversation": lastWithout("conversation"),
  "last ignores the tool": lastWithout("tool"),
  "last ignores the digest": lastWithout("digest"),
  "last returns none": () => ({ last: () => Effect.succeedNone }),
  "ofCall returns the newest tool call first": (store) => ({
    ofCall: (accountId, callId, limit) => reversed(store.ofCall(accountId, callId, limit))
  }),
  "ofCall orders tool calls by their ids": (store) => ({
    ofCall: (accountId, callId, limit) =>
      Effect.map(store.ofCall(accountId, callId, limit), (found) => found.toSorted((a, b) => a.id - b.id))
  }),
  "ofCall returns those of the same time in the reverse order": (store) => ({
    ofCall: (accountId, callId, limit) =>
      Effect.map(store.ofCall(accountId, callId, limit), (found) =>
        found.toSorted((a, b) => DateTime.Order(a.at, b.at) || b.id - a.id)
      )
  }),
  "ofCall ignores the limit": (store) => ({ ofCall: (accountId, callId) => store.ofCall(accountId, callId, 1_000) }),
  "ofCall returns the newest tool calls up to the limit": (store) => ({
    ofCall: (accountId, callId, limit) =>
      Effect.map(store.ofCall(accountId, callId, 1_000), (found) => found.slice(-limit))
  }),
  "ofCall ignores the account": (store) => {
    const { insert, recorded } = recording(store)
    return {
      insert,
      ofCall: (accountId, callId, limit) => {
        const owner = recorded.find(({ call }) => call.callId === callId)?.call.accountId
        return store.ofCall(owner ?? accountId, callId, limit)
      }
    }
  },
  "ofCall returns the tool calls of all calls of the account": (store) => {
    const { insert, recorded } = recording(store)
    return {
      insert,
      ofCall: (accountId, callId, limit) => {
        const own = recorded.filter(({ call }) => call.accountId === accountId).map(({ call }) => call.callId)
        const callIds = new Set([callId, ...own].filter((id) => id !== null))
        return Effect.map(
          Effect.forEach(callIds, (id) => store.ofCall(accountId, id, limit)),
          (found) => found.flat().slice(0, limit)
        )
      }
    }
  },
  "a tool call stays when its call is deleted": (store) => {
    const { insert, recorded } = recording(store)
    return {
      insert,
      ofCall: (accountId, callId, limit) =>
        Effect.succeed(
          recorded
            .map(({ call }) => call)
            .filter((call) => call.accountId === accountId && call.callId === callId)
            .toSorted((a, b) => DateTime.Order(a.at, b.at))
            .slice(0, limit)
        )
    }
  },
  "sweep has no effect": () => ({ sweep: () => Effect.succeed(0) }),
  "sweep deletes tool calls that are from the instant": (store) => ({
    sweep: (before, limit) => store.sweep(justAfter(before), limit)
  }),
  "sweep leaves a tool call from a millisecond before the instant": (store) => ({
    sweep: (before, limit) => store.sweep(justBefore(before), limit)
  }),
  "sweep deletes tool calls of calls": hiding((calls, before, limit) =>
    chosenBy(
      calls.filter(({ at }) => DateTime.isLessThan(at, before)),
      limit,
      (a, b) => DateTime.Order(a.at, b.at)
    )
  ),
  "sweep deletes the newest tool call first": hiding((calls, before, limit) =>
    chosenBy(
      calls.filter(({ at, callId }) => callId === null && DateTime.isLessThan(at, before)),
      limit,
      (a, b) => DateTime.Order(b.at, a.at)
    )
  ),
  "sweep ignores the limit of rows": (store) => ({
    sweep: (before, limit) => store.sweep(before, { ...limit, rows: 1_000 })
  }),
  "sweep ignores the limit of bytes": (store) => ({
    sweep: (before, limit) => store.sweep(before, { ...limit, bytes: Number.MAX_SAFE_INTEGER })
  }),
  "sweep returns how many rows it may delete": (store) => ({
    sweep: (before, limit) => Effect.map(store.sweep(before, limit), (count) => (count === 0 ? 0 : limit.rows))
  }),
  "sweepContents has no effect": () => ({ sweepContents: () => Effect.succeed(0) }),
  "countOfCall counts the repeats of a tool call once": (store) => {
    const { insert, recorded } = recording(store)
    return {
      insert,
      countOfCall: (accountId, callId) =>
        Effect.sync(() => {
          const own = recorded.filter(({ call }) => call.accountId === accountId && call.callId === callId)
          return new Set(own.map((one) => JSON.stringify(keyOf(one)))).size
        })
    }
  },
  "countOfCall counts all tool calls of the account": (store) => {
    const { insert, recorded } = recording(store)
    return {
      insert,
      countOfCall: (accountId) => Effect.sync(() => recorded.filter(({ call }) => call.accountId === accountId).length)
    }
  },
  "countOfCall counts tool calls with contents alone": (store) => ({
    countOfCall: (accountId, callId) =>
      Effect.map(store.ofCall(accountId, callId, 1_000), (calls) => calls.filter(hasContents).length)
  }),
  "countOfCall ignores the account": (store) => {
    const { insert, recorded } = recording(store)
    return {
      insert,
      countOfCall: (_, callId) => Effect.sync(() => recorded.filter(({ call }) => call.callId === callId).length)
    }
  },
  "sweepContents leaves the arguments": uncleared((_, before) => ({ arguments: before.arguments })),
  "sweepContents leaves the answer": uncleared((_, before) => ({ answer: before.answer })),
  "sweepContents clears how long the answer took": uncleared((_, { arguments: given, answer }) =>
    given === null && answer === null ? {} : { durationMillis: 0 }
  ),
  "sweepContents clears the calendar event": uncleared(() => ({ eventId: null })),
  "last returns a tool call whose contents were cleared": (store) => {
    const { insert, recorded } = recording(store)
    return {
      insert,
      last: (key) =>
        Effect.gen(function* () {
          const found = yield* store.last(key)
          const newest = recorded.findLast((one) => isOf(one, key))?.call
          if (Option.isSome(found) || newest === undefined || newest.callId === null) return found
          const shown = yield* store.ofCall(newest.accountId, newest.callId, 1_000)
          return Option.fromUndefinedOr(shown.find(({ id }) => id === newest.id))
        })
    }
  },
  "sweepContents deletes the tool calls": (store) => {
    const { insert, recorded } = recording(store)
    return {
      insert,
      ofCall: (accountId, callId, limit) =>
        Effect.map(store.ofCall(accountId, callId, limit), (found) =>
          found.filter((call) => hasContents(call) || !recorded.some((one) => wasCleared(one.call, call)))
        )
    }
  },
  "sweepContents clears tool calls and calls that are from the instant": (store) => ({
    sweepContents: (before, limit) => store.sweepContents(justAfter(before), limit)
  }),
  "sweepContents leaves a tool call from a millisecond before the instant": (store) => ({
    sweepContents: (before, limit) => store.sweepContents(justBefore(before), limit)
  }),
  "sweepContents ignores when the call ended": clearing((calls, before, limit) =>
    chosenBy(
      calls.filter(({ at, callId }) => callId !== null && DateTime.isLessThan(at, before)),
      limit,
      (a, b) => DateTime.Order(a.at, b.at)
    )
  ),
  "sweepContents clears tool calls without a call": (store) => {
    const { insert, recorded } = recording(store)
    const cleared = new Set<number>()
    return {
      insert,
      last: (key) =>
        Effect.map(
          store.last(key),
          Option.filter(({ id }) => !cleared.has(id))
        ),
      sweepContents: (before, limit) =>
        Effect.tap(store.sweepContents(before, limit), () =>
          Effect.sync(() => {
            for (const { call } of recorded) {
              if (call.callId === null && DateTime.isLessThan(call.at, before)) cleared.add(call.id)
            }
          })
        )
    }
  },
  "sweepContents clears the newest tool call first": clearing((calls, before, limit) =>
    chosenBy(
      calls.filter(({ at, callId }) => callId !== null && DateTime.isLessThan(at, before)),
      limit,
      (a, b) => DateTime.Order(b.at, a.at)
    )
  ),
  "sweepContents ignores the limit of rows": (store) => ({
    sweepContents: (before, limit) => store.sweepContents(before, { ...limit, rows: 1_000 })
  }),
  "sweepContents ignores the limit of bytes": (store) => ({
    sweepContents: (before, limit) => store.sweepContents(before, { ...limit, bytes: Number.MAX_SAFE_INTEGER })
  }),
  "sweepContents returns how many rows it may clear": (store) => ({
    sweepContents: (before, limit) =>
      Effect.map(store.sweepContents(before, limit), (count) => (count === 0 ? 0 : limit.rows))
  })
})

/** Returns whether a tool call, as it is now, has lost the contents with which it was stored. */
const wasCleared = (stored: ToolCall, now: ToolCall): boolean => stored.id === now.id && hasContents(stored)

const isOf = (recorded: Recorded, key: RepeatKey): boolean => {
  const own = keyOf(recorded)
  return (["accountId", "conversation", "tool", "digest"] as const).every((field) => own[field] === key[field])
}
