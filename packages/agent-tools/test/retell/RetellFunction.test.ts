import { RetellFunction, Tools } from "@frontdesk/agent-tools"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { containing } from "../json.ts"
import { toolboxWith } from "../runners.ts"

describe("RetellFunction", () => {
  const call = {
    call_id: "call_1",
    agent_id: "agent_1",
    from_number: "+12025550111",
    to_number: "+12025550100",
    direction: "inbound",
    metadata: { ref: "ref_1" }
  }
  const decoded = (name: string, args: unknown) => Result.getOrThrow(RetellFunction.decode({ name, args, call }))

  it("decodes name, arguments and the call", () => {
    expect(decoded("hold_slot", { slot_id: "s1" })).toEqual({
      name: "hold_slot",
      args: { slot_id: "s1" },
      call: {
        providerCallId: "call_1",
        agentId: "agent_1",
        fromNumber: "+12025550111",
        toNumber: "+12025550100",
        direction: "inbound",
        metadata: { ref: "ref_1" }
      }
    })
    const web = Result.getOrThrow(RetellFunction.decode({ name: "x", call: { call_id: "c", from_number: 1 } }))
    expect(web).toMatchObject({ args: {}, call: { fromNumber: null, direction: null, metadata: {} } })
  })

  it.each([null, {}, { name: "x" }, { name: "x", call: {} }, { name: "", call }, { call }])("%j fails", (given) => {
    expect(RetellFunction.decode(given)).toMatchObject({ failure: containing("call_id") })
  })

  it.effect("the answer is one line of JSON, also for a refusal and for wrong arguments", () =>
    Effect.gen(function* () {
      const run = (name: string, args: unknown) =>
        RetellFunction.run(decoded(name, args), ({ fromNumber }) =>
          Effect.succeed(toolboxWith({ opt_out: () => Effect.succeed({ say: `Not ${fromNumber} again.` }) }))
        )
      expect(yield* run("opt_out", {})).toBe(`{"say":"Not +12025550111 again."}`)
      expect(yield* run("book", { slot_id: "taken" })).toMatch(/^\{"say":"That time.*"error":"slot_unavailable"/)
      expect(yield* run("book", {})).toMatch(/^\{"say":".*"error":"validation_error".*slot_id/)
    })
  )

  it.effect("a look-up that hangs is answered after 2 seconds", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(RetellFunction.run(decoded("opt_out", {}), () => Effect.never))
      yield* TestClock.adjust("2 seconds")
      expect(yield* Fiber.join(fiber)).toContain(`"error":"timeout"`)
    })
  )
})

it("a tool is defined at Retell with its address and its JSON Schema", () => {
  const { argumentsSchema, description } = Tools.byName.book
  expect(RetellFunction.definition(Tools.byName.book, "https://api.example.com/retell")).toEqual({
    type: "custom",
    name: "book",
    description,
    url: "https://api.example.com/retell",
    parameters: argumentsSchema,
    speak_during_execution: false,
    speak_after_execution: true
  })
})
