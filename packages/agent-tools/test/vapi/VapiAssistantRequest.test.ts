import { VapiAssistantRequest } from "@frontdesk/agent-tools"
import type { Vapi } from "@vapi-ai/server-sdk"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

describe("VapiAssistantRequest", () => {
  it("decodes who calls which number", () => {
    const message = {
      type: "assistant-request",
      call: { id: "call_1", type: "inboundPhoneCall", phoneNumberId: "pn_1" },
      customer: { number: "+12025550111" },
      phoneNumber: { number: "+12025550100" }
    }
    expect(VapiAssistantRequest.decode({ message })).toEqual(
      Result.succeed({
        providerCallId: "call_1",
        metadata: {},
        externalId: null,
        customerNumber: "+12025550111",
        ownNumber: "+12025550100",
        ownNumberId: "pn_1",
        direction: "inbound"
      })
    )
  })

  it("another message fails", () => {
    expect(VapiAssistantRequest.decode({ message: { type: "tool-calls" } })).toEqual(
      Result.fail("the body is not an assistant-request message")
    )
  })

  it("accepts with the assistant and its variables, in the types of Vapi's client", () => {
    const body = VapiAssistantRequest.encode({
      _tag: "Accepted",
      assistantId: "asst_1",
      variableValues: { first_name: "Jo", visits: 3 },
      overrides: { metadata: { frontdesk_ref: "ref_1" } }
    })
    expect(body satisfies Vapi.ServerMessageResponseAssistantRequest).toEqual({
      assistantId: "asst_1",
      assistantOverrides: { metadata: { frontdesk_ref: "ref_1" }, variableValues: { first_name: "Jo", visits: 3 } }
    })
  })

  it("refuses with a spoken text", () => {
    expect(VapiAssistantRequest.encode({ _tag: "Refused", say: "We cannot take calls now." })).toEqual({
      error: "We cannot take calls now."
    })
  })
})
