import { createHmac } from "node:crypto"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import { RetellFunction, RetellInbound, RetellSignature, Tools } from "@frontdesk/agent-tools"
import { describe, expect, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { containing } from "../json.ts"
import { toolboxWith } from "../runners.ts"

const apiKey = Redacted.make("key_0123456789")
const now = Date.parse("2026-11-24T12:00:00Z")
const body = `{"name":"opt_out","args":{"text":"ü"}}`

/** Returns a signature as Retell's documentation describes it, made by other code than the check. */
const signed = (text: string, at: number, key = "key_0123456789"): string =>
  `v=${at},d=${createHmac("sha256", key).update(`${text}${at}`).digest("hex")}`

layer(Crypto.layerWebCrypto)("RetellSignature", (it) => {
  const check = (signature: string | undefined, given = body, key = apiKey) =>
    Effect.andThen(TestClock.setTime(now), RetellSignature.isAuthentic(key, Utf8.encode(given), signature))

  it.effect("the signature of Retell is accepted for 5 minutes before and after its time", () =>
    Effect.gen(function* () {
      for (const age of [0, 300_000, -300_000]) expect(yield* check(signed(body, now - age))).toBe(true)
      for (const age of [300_001, -300_001]) expect(yield* check(signed(body, now - age))).toBe(false)
    })
  )

  it.effect("sign makes the same signature", () =>
    Effect.gen(function* () {
      expect(yield* RetellSignature.sign(apiKey, body, now)).toBe(signed(body, now))
    })
  )

  it.effect("another body, key or time, and another form are rejected", () =>
    Effect.gen(function* () {
      const right = signed(body, now)
      expect(yield* check(right.toUpperCase())).toBe(true)
      for (const wrong of [
        undefined,
        "",
        right.slice(0, -1),
        `${right}0`,
        ` ${right}`,
        right.replace(String(now), String(now + 1)),
        right.replace(`v=${now},`, ""),
        `v=,d=${"0".repeat(64)}`,
        signed(body, now, "other")
      ]) {
        expect([wrong, yield* check(wrong)]).toEqual([wrong, false])
      }
      expect(yield* check(right, `${body} `)).toBe(false)
      expect(yield* check(signed(body, now, ""), body, Redacted.make(""))).toBe(false)
    })
  )
})

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

describe("RetellInbound", () => {
  const inbound = { agent_id: "agent_1", agent_version: 1, from_number: "+12025550111", to_number: "+12025550100" }

  it("decodes who calls which number", () => {
    expect(RetellInbound.decode({ event: "call_inbound", call_inbound: inbound })).toEqual(
      Result.succeed({ agentId: "agent_1", fromNumber: "+12025550111", toNumber: "+12025550100" })
    )
    expect(Result.isFailure(RetellInbound.decode({ event: "call_started", call: inbound }))).toBe(true)
    expect(Result.isFailure(RetellInbound.decode({ event: "call_inbound", call_inbound: {} }))).toBe(true)
  })

  it("accepts with variables as texts", () => {
    const variables = { first_name: "Jo", visits: 3, is_new: false }
    expect(RetellInbound.encode({ _tag: "Accepted", agentId: "agent_2", variables, metadata: { ref: "r" } })).toEqual({
      call_inbound: {
        override_agent_id: "agent_2",
        dynamic_variables: { first_name: "Jo", visits: "3", is_new: "false" },
        metadata: { ref: "r" }
      }
    })
    expect(RetellInbound.encode({ _tag: "Accepted", agentId: null, variables: {} })).toEqual({
      call_inbound: { dynamic_variables: {} }
    })
  })

  it("refuses by naming no agent", () => {
    expect(RetellInbound.encode({ _tag: "Refused" })).toEqual({ call_inbound: {} })
  })
})
