import { English, Toolbox, Tools, VapiToolCalls } from "@frontdesk/agent-tools"
import type { Vapi } from "@vapi-ai/server-sdk"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { containing, fieldsOf, parse } from "../json.ts"
import { toolboxWith } from "../runners.ts"

const call = { id: "call_1", type: "inboundPhoneCall", customer: { number: "+12025550111" } }

const message = (fields: object) => ({ message: { type: "tool-calls", call, ...fields } })

const decoded = (fields: object) => Result.getOrThrow(VapiToolCalls.decode(message(fields)))

const args = { slot_id: "s1" }

describe("VapiToolCalls.decode", () => {
  it("reads the first 100 entries of a list", () => {
    const toolCallList = Array.from({ length: 300_000 }, (_, index) => ({ id: String(index), name: "get_context" }))
    expect(decoded({ toolCallList }).toolCalls).toHaveLength(100)
  })

  it.each<[string, object]>([
    [
      "function with arguments as a text",
      {
        toolCallList: [{ id: "1", type: "function", function: { name: "hold_slot", arguments: JSON.stringify(args) } }]
      }
    ],
    [
      "function with arguments as an object",
      { toolCallList: [{ id: "1", type: "function", function: { name: "hold_slot", arguments: args } }] }
    ],
    ["a flat name with arguments", { toolCallList: [{ id: "1", name: "hold_slot", arguments: args }] }],
    ["a flat name with parameters", { toolCallList: [{ id: "1", name: "hold_slot", parameters: args }] }],
    [
      "toolWithToolCallList with parameters",
      {
        toolWithToolCallList: [
          { type: "function", name: "hold_slot", toolCall: { id: "1", function: { parameters: args } } }
        ]
      }
    ],
    [
      "both lists with the same call",
      {
        toolCallList: [{ id: "1", function: { name: "hold_slot", arguments: args } }],
        toolWithToolCallList: [
          { function: { name: "hold_slot" }, toolCall: { id: "1", function: { name: "hold_slot", arguments: args } } }
        ]
      }
    ]
  ])("reads %s", (_, fields) => {
    expect(decoded(fields).toolCalls).toEqual([{ id: "1", name: "hold_slot", args }])
  })

  it("arguments that are absent, null or empty are no arguments, and a text that is not JSON stays a text", () => {
    const calls = [
      { id: "1", function: { name: "a" } },
      { id: "2", function: { name: "a", arguments: null } },
      { id: "3", function: { name: "a", arguments: " " } },
      { id: "4", function: { name: "a", arguments: "{slot" } }
    ]
    expect(decoded({ toolCallList: calls }).toolCalls.map(({ args }) => args)).toEqual([{}, {}, {}, "{slot"])
  })

  it("an entry without an id is left out, and one without a name is returned", () => {
    const calls = [null, 1, { function: { name: "a" } }, { id: 2 }, { id: "" }, { id: "5" }]
    expect(decoded({ toolCallList: calls }).toolCalls).toEqual([{ id: "5", name: "", args: {} }])
  })

  it("the caller is the one that Vapi names", () => {
    const overrides = { assistantOverrides: { metadata: { frontdesk_ref: "ref_1" } } }
    const phoneNumber = { id: "pn_1", number: "+12025550100", provider: "twilio" }
    expect(decoded({ phoneNumber, call: { ...call, ...overrides }, toolCallList: [] }).call).toEqual({
      providerCallId: "call_1",
      metadata: { frontdesk_ref: "ref_1" },
      externalId: null,
      customerNumber: "+12025550111",
      ownNumber: "+12025550100",
      ownNumberId: "pn_1",
      direction: "inbound"
    })
    expect(decoded({ call: { id: 7, type: "webCall", customer: "?" } }).call).toMatchObject({
      providerCallId: null,
      customerNumber: null,
      direction: null
    })
  })

  it.each([null, [], {}, { message: {} }, { message: { type: "status-update" } }])(
    "%j is not such a message",
    (body) => {
      expect(VapiToolCalls.decode(body)).toEqual(Result.fail("the body is not a tool-calls message"))
    }
  )
})

it("a tool is defined at Vapi with its JSON Schema", () => {
  const { argumentsSchema, description } = Tools.byName.find_slots
  expect(VapiToolCalls.definition(Tools.byName.find_slots)).toEqual({
    type: "function",
    function: { name: "find_slots", description, parameters: argumentsSchema }
  })
})

describe("VapiToolCalls.run", () => {
  const toolCalls = (...names: ReadonlyArray<[name: string, args: unknown]>) =>
    decoded({
      toolCallList: names.map(([name, args], index) => ({ id: String(index), function: { name, arguments: args } }))
    })

  it.effect("every call is answered with one line of JSON, say first", () =>
    Effect.gen(function* () {
      const calls = toolCalls(["hold_slot", args], ["book", { slot_id: "taken" }], ["book", "{"], ["nothing", {}])
      const { results } = yield* VapiToolCalls.run(calls, () => Effect.succeed(toolboxWith()))
      const typed: ReadonlyArray<Vapi.ToolCallResult> = results
      expect(typed.map(({ name, toolCallId }) => [toolCallId, name])).toEqual([
        ["0", "hold_slot"],
        ["1", "book"],
        ["2", "book"],
        ["3", "nothing"]
      ])
      const lines = typed.map(({ result = "" }) => result)
      for (const line of lines) expect(line).toMatch(/^\{"say":"[^\n]*\}$/)
      expect(lines.map((line) => fieldsOf(parse(line))["error"])).toEqual([
        undefined,
        "slot_unavailable",
        "validation_error",
        "unknown_tool"
      ])
    })
  )

  it.effect("a tool that breaks down is an error, and the other calls have their results", () =>
    Effect.gen(function* () {
      const box = toolboxWith({ opt_out: () => Effect.die("broken"), get_contact: () => Effect.never })
      const calls = toolCalls(["opt_out", {}], ["get_contact", {}], ["hold_slot", args])
      const fiber = yield* Effect.forkChild(VapiToolCalls.run(calls, () => Effect.succeed(box)))
      yield* TestClock.adjust("2 seconds")
      expect((yield* Fiber.join(fiber)).results).toEqual([
        {
          toolCallId: "0",
          name: "opt_out",
          error: JSON.stringify({ say: English.english.serverError, error: "server_error" })
        },
        {
          toolCallId: "1",
          name: "get_contact",
          error: JSON.stringify({ say: English.english.timeout, error: "timeout" })
        },
        { toolCallId: "2", name: "hold_slot", result: containing("I hold s1.") }
      ])
    })
  )

  it.effect("the calls of one message run side by side, and the caller is looked up once", () =>
    Effect.gen(function* () {
      let lookUps = 0
      const second = yield* Deferred.make<void>()
      const box = toolboxWith({
        update_contact: () => Effect.as(Deferred.await(second), { say: "first" }),
        opt_out: () => Effect.as(Deferred.succeed(second, undefined), { say: "second" })
      })
      const toolboxOf = () =>
        Effect.sync(() => {
          lookUps += 1
          return box
        })
      const { results } = yield* VapiToolCalls.run(
        toolCalls(["update_contact", { city: "Rome" }], ["opt_out", {}]),
        toolboxOf
      )
      expect(results.map((result) => ("result" in result ? result.result : null))).toEqual([
        `{"say":"first"}`,
        `{"say":"second"}`
      ])
      expect(lookUps).toBe(1)
    })
  )

  it.effect("the look-up of the caller counts towards the 2 seconds, also when it cannot be interrupted", () =>
    Effect.gen(function* () {
      const hanging = Effect.uninterruptible(Effect.never)
      const fiber = yield* Effect.forkChild(VapiToolCalls.run(toolCalls(["opt_out", {}]), () => hanging))
      yield* TestClock.adjust("2 seconds")
      expect((yield* Fiber.join(fiber)).results).toMatchObject([{ error: containing(`"timeout"`) }])
    })
  )

  it.effect("a defect of the look-up is answered", () =>
    Effect.gen(function* () {
      const { results } = yield* VapiToolCalls.run(toolCalls(["opt_out", {}]), () => {
        throw new Error("secret")
      })
      expect(results).toMatchObject([{ error: containing(`"server_error"`) }])
    })
  )

  it.effect("calls beyond the maximum are answered without being carried out", () =>
    Effect.gen(function* () {
      let count = 0
      const box = toolboxWith({
        opt_out: () =>
          Effect.sync(() => {
            count += 1
            return { say: "Done." }
          })
      })
      const calls = toolCalls(...Array.from({ length: 25 }, (): [string, unknown] => ["opt_out", {}]))
      const { results } = yield* VapiToolCalls.run(calls, () => Effect.succeed(box))
      expect(count).toBe(VapiToolCalls.maxCalls)
      expect(results).toHaveLength(25)
      expect(results[24]).toMatchObject({ result: containing("too_many_calls") })
    })
  )

  it.effect("a toolbox that refuses answers every call alike", () =>
    Effect.gen(function* () {
      const box = Toolbox.refusing({ say: "I do not know this call.", error: "unknown_call" })
      const { results } = yield* VapiToolCalls.run(toolCalls(["opt_out", {}]), () => Effect.succeed(box))
      expect(results).toEqual([
        { toolCallId: "0", name: "opt_out", result: `{"say":"I do not know this call.","error":"unknown_call"}` }
      ])
    })
  )
})
