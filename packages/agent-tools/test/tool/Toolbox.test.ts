import type { AllowedTools } from "@frontdesk/core/agent/AgentTool"
import { all, type Permission } from "@frontdesk/core/access/Permission"
import { English, Toolbox, Tools } from "@frontdesk/agent-tools"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { eventWith, runners, toolboxWith } from "../runners.ts"

const namesOf = (permissions: ReadonlyArray<Permission>, hasCall: boolean) =>
  Toolbox.make({ permissions: new Set(permissions), hasCall, runners }).tools.map(({ name }) => name)

describe("the tools that a toolbox lists", () => {
  it("during a call, with all permissions, are all tools", () => {
    expect(namesOf(all, true)).toEqual(Tools.toolNames)
    expect(Tools.toolNames).toHaveLength(12)
  })

  it("without a call are those that do not act for the caller", () => {
    expect(namesOf(all, false)).toEqual(["get_context", "find_slots", "hold_slot", "book", "request_callback"])
  })

  it("are those that the key has the permission for", () => {
    expect(namesOf(["can_read_calendar"], true)).toEqual(["get_context", "find_slots", "my_appointments"])
    expect(namesOf(["can_write_calendar"], true)).toEqual(["hold_slot", "book", "move", "cancel", "request_callback"])
    expect(namesOf([], true)).toEqual([])
  })

  it("are those that the agent may use (D-AGENT-9)", () => {
    const namesWith = (allowedTools: AllowedTools | null) =>
      Toolbox.make({ permissions: new Set(all), hasCall: true, runners, allowedTools }).tools.map(({ name }) => name)
    expect(namesWith(["opt_out", "find_slots"])).toEqual(["find_slots", "opt_out"])
    expect(namesWith([])).toEqual([])
    expect(namesWith(null)).toEqual(Tools.toolNames)
  })

  it("are those that have a runner", () => {
    const box = Toolbox.make({ permissions: new Set(all), hasCall: true, runners: { opt_out: runners.opt_out } })
    expect(box.tools.map(({ name }) => name)).toEqual(["opt_out"])
  })
})

it("the compiler rejects a runner whose answer lacks a field of its tool", () => {
  const runners: Toolbox.Runners = {
    // @ts-expect-error -- The event is missing.
    book: () => Effect.succeed({ say: "You are booked." }),
    cancel: () => Effect.succeed({ say: "I do not find that appointment.", error: "not_found" })
  }
  expect(Object.keys(runners)).toEqual(["book", "cancel"])
})

describe("Toolbox.call", () => {
  it.effect("a tool receives decoded arguments, and null counts as absent", () =>
    Effect.gen(function* () {
      const args = { from_date: "2026-11-24", to_date: "2026-11-25", duration_minutes: 30, part_of_day: null, other: 1 }
      expect(yield* toolboxWith().call("find_slots", args)).toMatchObject({ asked: ["2026-11-24", "2026-11-25", null] })
    })
  )

  it.effect("a tool that is not listed is unknown", () =>
    Effect.gen(function* () {
      const box = Toolbox.make({ permissions: new Set(all), hasCall: false, runners })
      for (const name of ["opt_out", "toString", "__proto__", ""]) {
        expect(yield* box.call(name, {})).toEqual({
          say: English.english.unknownTool,
          error: "unknown_tool",
          tool: name
        })
      }
    })
  )

  it.effect.each<[Tools.ToolName, unknown, string]>([
    ["find_slots", { to_date: "2026-11-24", duration_minutes: 30 }, "from_date"],
    ["find_slots", { from_date: "2026-02-30", to_date: "2026-11-24", duration_minutes: 30 }, "from_date"],
    ["find_slots", { from_date: "2026-11-24", to_date: "2026-11-23", duration_minutes: 30 }, "to_date"],
    ["find_slots", { from_date: "2026-11-01", to_date: "2027-01-02", duration_minutes: 30 }, "to_date"],
    ["find_slots", { from_date: "2026-11-24", to_date: "2026-11-24", duration_minutes: 0 }, "duration_minutes"],
    ["find_slots", { from_date: "2026-11-24", to_date: "2026-11-24", duration_minutes: 181 }, "duration_minutes"],
    [
      "find_slots",
      { from_date: "2026-11-24", to_date: "2026-11-24", duration_minutes: 30, part_of_day: "night" },
      "part_of_day"
    ],
    ["hold_slot", {}, "slot_id"],
    ["hold_slot", { slot_id: "a b" }, "slot_id"],
    ["book", { slot_id: "a".repeat(101) }, "slot_id"],
    ["book", { slot_id: "a", notes: "a".repeat(2001) }, "notes"],
    ["book", { slot_id: "a", title: "\0" }, "title"],
    ["book", { slot_id: "a", customer_phone: "555 0100" }, "customer_phone"],
    ["book", { slot_id: "a", customer_email: "jo" }, "customer_email"],
    ["move", { slot_id: "a", event_id: 0 }, "event_id"],
    ["cancel", { event_id: "1", reason: "a".repeat(1001) }, "reason"],
    ["cancel", { event_id: { id: 1 } }, "event_id"],
    ["update_contact", {}, ""],
    ["update_contact", { email: "jo" }, "email"],
    ["set_variables", { variables: {} }, "variables"],
    ["set_variables", { variables: { Name: "x" } }, "variables.Name"],
    ["set_variables", { variables: { name: ["x"] } }, "variables.name"],
    ["get_context", [], ""],
    ["get_context", "{", ""]
  ])("%s rejects %j and names the field %j", ([name, args, field]) =>
    Effect.gen(function* () {
      const answer = yield* toolboxWith().call(name, args)
      expect(answer).toMatchObject({ error: "validation_error", details: [{ field }] })
      expect(answer.say).toBe(English.english.invalidArguments(field))
    })
  )

  it.effect("a contact id in the arguments is ignored", () =>
    Effect.gen(function* () {
      const answer = yield* toolboxWith().call("update_contact", { contact_id: 7, first_name: "Jo" })
      expect(answer["changed"]).toEqual(["firstName"])
    })
  )

  it.effect("say is the first field and one line, and undefined fields are left out", () =>
    Effect.gen(function* () {
      const box = toolboxWith({
        opt_out: () => Effect.succeed({ events: [], none: undefined, say: " Two\nlines\u0007 \t here " })
      })
      const answer = yield* box.call("opt_out", {})
      expect(JSON.stringify(answer)).toBe(`{"say":"Two lines here","events":[]}`)
    })
  )

  it.effect("a defect is logged and answered, and so is an exception of a runner", () =>
    Effect.gen(function* () {
      const box = toolboxWith({
        opt_out: () => Effect.die(new Error("secret")),
        get_contact: () => {
          throw new Error("secret")
        }
      })
      const expected = { say: English.english.serverError, error: "server_error" }
      expect(yield* box.call("opt_out", {})).toEqual(expected)
      expect(yield* box.call("get_contact", {})).toEqual(expected)
    })
  )
})

describe("Toolbox.observed", () => {
  it.effect("each call is passed on with its answer and its duration, also when it is interrupted", () =>
    Effect.gen(function* () {
      const calls: Array<Toolbox.ToolCall> = []
      const box = Toolbox.observed(toolboxWith({ opt_out: () => Effect.never }), (call) =>
        Effect.sync(() => calls.push(call))
      )
      yield* box.call("cancel", { event_id: 1 })
      yield* box.call("nothing", {})
      const fiber = yield* Effect.forkChild(box.call("opt_out", {}))
      yield* TestClock.adjust(700)
      yield* Fiber.interrupt(fiber)
      yield* Effect.yieldNow
      expect(calls).toEqual([
        {
          name: "cancel",
          args: { event_id: 1 },
          answer: { say: "Cancelled.", event: eventWith(1) },
          at: 0,
          durationMillis: 0
        },
        {
          name: "nothing",
          args: {},
          answer: { say: English.english.unknownTool, error: "unknown_tool", tool: "nothing" },
          at: 0,
          durationMillis: 0
        },
        {
          name: "opt_out",
          args: {},
          answer: { say: English.english.timeout, error: "timeout" },
          at: 0,
          durationMillis: 700
        }
      ])
    })
  )

  it.effect("an observer that hangs or has a defect delays no answer", () =>
    Effect.gen(function* () {
      for (const observe of [() => Effect.uninterruptible(Effect.never), () => Effect.die("broken")]) {
        expect(yield* Toolbox.observed(toolboxWith(), observe).call("get_contact", {})).toEqual({
          say: "I have your details.",
          contact: null
        })
      }
    })
  )
})

describe("the time limit", () => {
  const timeout = { say: English.english.timeout, error: "timeout" }

  it.effect("a tool that takes longer than 2 seconds is interrupted and answered", () =>
    Effect.gen(function* () {
      let isInterrupted = false
      const box = toolboxWith({
        opt_out: () =>
          Effect.never.pipe(
            Effect.onInterrupt(() =>
              Effect.sync(() => {
                isInterrupted = true
              })
            )
          )
      })
      const fiber = yield* Effect.forkChild(box.call("opt_out", {}))
      yield* TestClock.adjust(1_999)
      expect(fiber.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust(1)
      expect(yield* Fiber.join(fiber)).toEqual(timeout)
      expect(isInterrupted).toBe(true)
    })
  )

  it.effect("a tool that cannot be interrupted does not delay the answer", () =>
    Effect.gen(function* () {
      const box = toolboxWith({ opt_out: () => Effect.uninterruptible(Effect.never) })
      const fiber = yield* Effect.forkChild(box.call("opt_out", {}))
      yield* TestClock.adjust("2 seconds")
      expect(yield* Fiber.join(fiber)).toEqual(timeout)
    })
  )

  it.effect("a tool that answers at once is not delayed, and an interrupted call interrupts its tool", () =>
    Effect.gen(function* () {
      let isInterrupted = false
      const box = toolboxWith({
        opt_out: () =>
          Effect.never.pipe(
            Effect.onInterrupt(() =>
              Effect.sync(() => {
                isInterrupted = true
              })
            )
          )
      })
      expect(yield* box.call("get_contact", {})).toEqual({ say: "I have your details.", contact: null })
      const fiber = yield* Effect.forkChild(box.call("opt_out", {}))
      yield* TestClock.adjust(1)
      yield* Fiber.interrupt(fiber)
      expect(isInterrupted).toBe(true)
    })
  )
})
