import * as DateTime from "effect/DateTime"
import type Retell from "retell-sdk"
import { describe, expect, it } from "vitest"
import { endOf } from "../../src/retell/RetellEnd.ts"

const at = DateTime.makeUnsafe
const startedAt = at("2026-11-21T18:00:00Z")
const endedAt = at("2026-11-21T18:00:30Z")
const long = { isConnected: true, startedAt, endedAt }

/** The reasons of the official client, each with the status of a call that lasted, and whether it counts as answered. */
const reasons: Readonly<
  Record<NonNullable<Retell.PhoneCallResponse["disconnection_reason"]>, readonly [status: string, isAnswered: boolean]>
> = {
  user_hangup: ["completed", true],
  agent_hangup: ["completed", true],
  call_transfer: ["completed", true],
  voicemail_reached: ["completed", true],
  ivr_reached: ["completed", true],
  inactivity: ["completed", true],
  max_duration_reached: ["completed", true],
  transfer_bridged: ["completed", true],
  transfer_cancelled: ["completed", true],
  manual_stopped: ["completed", true],
  call_take_over: ["completed", true],
  dial_busy: ["busy", false],
  user_declined: ["busy", false],
  dial_no_answer: ["no_answer", false],
  dial_failed: ["failed", false],
  invalid_destination: ["failed", false],
  telephony_provider_permission_denied: ["failed", false],
  telephony_provider_unavailable: ["failed", false],
  sip_routing_error: ["failed", false],
  marked_as_spam: ["failed", false],
  concurrency_limit_reached: ["failed", false],
  no_concurrency_fallback: ["failed", false],
  registered_call_timeout: ["failed", false],
  error_user_not_joined: ["failed", false],
  no_valid_payment: ["failed", true],
  scam_detected: ["failed", true],
  error_llm_websocket_open: ["failed", true],
  error_llm_websocket_lost_connection: ["failed", true],
  error_llm_websocket_runtime: ["failed", true],
  error_llm_websocket_corrupt_payload: ["failed", true],
  error_no_audio_received: ["failed", true],
  error_asr: ["failed", true],
  error_retell: ["failed", true],
  error_unknown: ["failed", true]
}

describe("the end of a call by Retell's reason", () => {
  it.each([...Object.entries(reasons), ["a_reason_of_next_year", ["completed", true]] as const])(
    "a call that lasted and ended with %s has the status and the answer %j",
    (reason, [status, isAnswered]) => {
      expect(endOf({ reason, ...long })).toEqual({
        status,
        answeredAt: isAnswered ? startedAt : null,
        endedAt,
        reason
      })
    }
  )

  it.each([
    ["user_hangup", "failed"],
    ["error_retell", "failed"],
    ["manual_stopped", "cancelled"],
    ["a_reason_of_next_year", "failed"],
    ["dial_busy", "busy"]
  ])("a call that never began, or was not connected, and ended with %s is %s", (reason, status) => {
    for (const call of [
      { ...long, startedAt: null },
      { ...long, startedAt: endedAt },
      { ...long, isConnected: false }
    ]) {
      expect(endOf({ reason, ...call })).toEqual({ status, answeredAt: null, endedAt, reason })
    }
  })
})
