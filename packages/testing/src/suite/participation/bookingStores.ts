import { SlotHolder } from "@frontdesk/core/availability/SlotHold"
import { SlotHoldStore } from "@frontdesk/core/availability/SlotHoldStore"
import { ToolCallStore } from "@frontdesk/core/call/ToolCallStore"
import * as Effect from "effect/Effect"
import * as Samples from "../Samples.ts"
import { participation } from "./Participation.ts"

const makeAccount = Effect.suspend(() => Samples.makeAccount())

/** Before the rows of other tests, so that a sweep deletes only those of its own test. */
const [longAgo, sweptBefore] = [Samples.later(-70_000), Samples.later(-69_000)]

export const slotHoldStore = participation(
  SlotHoldStore,
  Effect.gen(function* () {
    const { id: accountId } = yield* makeAccount
    const times = { startTime: Samples.now, endTime: Samples.later(30), expiresAt: longAgo }
    const hold = { accountId, holder: SlotHolder.make("call:1"), ...times }
    yield* (yield* SlotHoldStore).place(hold)
    return hold
  }),
  {
    view: (holds, { accountId, holder }) => holds.ofHolder(accountId, holder, Samples.later(-80_000)),
    methods: {
      place: (holds, hold) => holds.place({ ...hold, endTime: Samples.later(60) }),
      ofHolder: "reads",
      busy: "reads",
      release: (holds, hold) => holds.release(hold),
      sweep: (holds) => holds.sweep(sweptBefore, Samples.rowLimit(1_000))
    }
  }
)

const digest = "0".repeat(64)

/** A tool call of a call that ended long ago. */
const makeOldToolCall = Effect.gen(function* () {
  const { id } = yield* makeAccount
  const call = yield* Samples.makeCall(id, yield* Samples.makeAgent(id), { status: "completed", endedAt: longAgo })
  const store = yield* ToolCallStore
  return yield* store.insert(Samples.newToolCall(id, { callId: call.id, at: longAgo }), digest)
})

export const toolCallStore = participation(
  ToolCallStore,
  Effect.gen(function* () {
    const { id } = yield* makeAccount
    const store = yield* ToolCallStore
    const alone = yield* store.insert(Samples.newToolCall(id, { at: longAgo }), digest)
    return { alone, inCall: yield* makeOldToolCall }
  }),
  {
    view: (store, { alone, inCall }) =>
      Effect.forEach([alone, inCall], ({ accountId, conversation, tool }) =>
        store.last({ accountId, conversation, tool, digest })
      ),
    methods: {
      insert: (store, { alone }) => store.insert(Samples.newToolCall(alone.accountId), digest),
      last: "reads",
      ofCall: "reads",
      countOfCall: "reads",
      sweep: (store) => store.sweep(sweptBefore, Samples.rowLimit(1_000)),
      sweepContents: (store) => store.sweepContents(sweptBefore, Samples.rowLimit(1_000))
    }
  }
)
