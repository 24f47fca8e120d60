import { describe, expect, it } from "@effect/vitest"
import * as CallKey from "@frontdesk/core/call/CallKey"

describe("CallKey.parse", () => {
  it("returns a valid database id as an id first and then as the service's id, and other texts only as that (C-4.2-5, D-HTTP-9)", () => {
    expect(CallKey.parse("7")).toEqual([{ id: 7 }, { callId: "7" }])
    expect(CallKey.parse("007")).toEqual([{ callId: "007" }])
    expect(CallKey.parse("9999999999999999")).toEqual([{ callId: "9999999999999999" }])
    expect(CallKey.parse("call_7")).toEqual([{ callId: "call_7" }])
  })

  it.each(["", "call_\0", "call 7", "anruf_ü", "x".repeat(256)])("returns no key for %j", (text) => {
    expect(CallKey.parse(text)).toEqual([])
  })
})
