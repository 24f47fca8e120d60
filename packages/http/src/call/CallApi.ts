import { AgentId } from "@frontdesk/core/agent/Agent"
import { CallDirection } from "@frontdesk/core/call/Call"
import { CreateCall, CallQuery } from "@frontdesk/core/call/CallInput"
import { CallStatus } from "@frontdesk/core/call/CallStatus"
import { ContactId } from "@frontdesk/core/contact/Contact"
import * as Input from "@frontdesk/core/values/Input"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as Wire from "@frontdesk/core/values/Wire"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { Atomic, CostOf, FieldCodes, OperationName } from "../ApiAnnotations.ts"
import { errors, postCodes } from "../ApiError.ts"
import { pageFields, Truncated } from "../PageView.ts"
import { dateQuery, idText, pageQuery, PhoneNumberText } from "../Parameters.ts"
import * as RequestCost from "../request/RequestCost.ts"
import { CallHungUp, CallPlanned, CallStarted, CallView } from "./CallView.ts"

const query = Wire.snakeCase(
  Schema.Struct({
    ...pageQuery,
    status: Schema.optionalKey(CallStatus),
    type: Schema.optionalKey(CallDirection),
    agentId: Schema.optionalKey(idText(AgentId)),
    contactId: Schema.optionalKey(idText(ContactId)),
    phoneNumber: Schema.optionalKey(PhoneNumberText),
    ...dateQuery
  })
).pipe(Input.decodes(CallQuery))

// A malformed number is refused as a field is: before an `Idempotency-Key` is taken.
const payload = Wire.snakeCase(Schema.Struct({ ...CreateCall.fields, phoneNumber: PhoneNumber }))
  .pipe(Input.decodes(CreateCall))
  .annotate({ identifier: "CallStart" })

const startCodes = [
  "missing_parameter",
  "invalid_phone_number",
  "agent_not_found",
  "contact_not_found",
  "agent_phone_number_missing",
  "do_not_call",
  "concurrency_limit_reached",
  "insufficient_funds",
  "provider_error",
  "provider_unavailable"
] as const

/** Calls (C-4.2-1 to C-4.2-5, D-CALL-18). */
export const CallApi = HttpApiGroup.make("calls")
  .add(
    HttpApiEndpoint.post("start", "/api/v1/calls", {
      payload,
      success: [CallStarted.pipe(HttpApiSchema.status(201)), CallPlanned],
      error: errors(...postCodes, ...startCodes)
    })
      .annotate(OperationName, "calls.start")
      .annotate(FieldCodes, { phone_number: "invalid_phone_number" })
      .annotate(Atomic, false)
      .annotate(OpenApi.Summary, "Start an outbound call"),
    HttpApiEndpoint.get("list", "/api/v1/calls", {
      query,
      success: Schema.Struct({ ...pageFields, calls: Schema.Array(CallView), truncated: Truncated }),
      error: errors()
    })
      .annotate(OperationName, "calls.list")
      .annotate(CostOf, RequestCost.ofRows)
      .annotate(OpenApi.Summary, "List calls"),
    HttpApiEndpoint.get("get", "/api/v1/calls/:call_id", {
      params: Wire.snakeCase(Schema.Struct({ callId: Schema.String })),
      success: CallView,
      error: errors("not_found")
    })
      .annotate(OperationName, "calls.get")
      .annotate(OpenApi.Summary, "Get a call by its database id or its call id"),
    HttpApiEndpoint.post("hangUp", "/api/v1/calls/:call_id/hang-up", {
      params: Wire.snakeCase(Schema.Struct({ callId: Schema.String })),
      success: CallHungUp,
      error: errors(...postCodes, "not_found", "provider_unavailable")
    })
      .annotate(OperationName, "calls.hangUp")
      .annotate(Atomic, false)
      .annotate(OpenApi.Summary, "Hang up a call")
      .annotate(
        OpenApi.Description,
        "Asks the telephone provider to end the call. The call ends when the provider reports it, so the answer may still show it running. One that has ended is answered as it is."
      )
  )
  .annotate(OpenApi.Title, "Calls")
  .annotate(
    OpenApi.Description,
    "Starts outbound calls. Status, transcript, recording and summary of a call follow as they are reported."
  )
