import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import { CallSessions } from "@frontdesk/core/call/CallSessions"
import { Contacts } from "@frontdesk/core/contact/Contacts"
import { providerCallId } from "@frontdesk/testing/fake/FakeCallProvider"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { makeCaller, services } from "./caller.ts"

const all = CallSessions.layer.pipe(Layer.provideMerge(Contacts.layer), Layer.provideMerge(services))

describe("CallSessions", () => {
  it.effect(
    "a session has the tools that the agent may use at present, for a provider and for a caller (D-AGENT-9)",
    () =>
      Effect.gen(function* () {
        const caller = yield* makeCaller({ agent: { allowedTools: ["find_slots"] } })
        const sessions = yield* CallSessions
        const { call } = yield* caller.start()
        const tools = Effect.gen(function* () {
          const found = [
            yield* sessions.ofProvider({ providerCallId: providerCallId(call.callId), ref: call.callId }),
            yield* caller.as(sessions.ofCaller(call.callId))
          ]
          return found.map((session) => Option.getOrThrow(session).allowedTools)
        })
        expect(yield* tools).toEqual([["find_slots"], ["find_slots"]])
        yield* (yield* AgentStore).update({ ...caller.agent, allowedTools: null })
        expect(yield* tools).toEqual([null, null])
      }).pipe(Effect.provide(all))
  )
})
