import { AgentId } from "@frontdesk/core/agent/Agent"
import { CallDirection } from "@frontdesk/core/call/CallDirection"
import { CreateCall, CallQuery } from "@frontdesk/core/call/CallInput"
import { CallStatus } from "@frontdesk/core/call/CallStatus"
import { ContactId } from "@frontdesk/core/contact/Contact"
import { maxListed } from "@frontdesk/core/delivery/Delivery"
import * as Input from "@frontdesk/core/values/Input"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as Text from "@frontdesk/core/values/Text"
import * as Wire from "@frontdesk/core/values/Wire"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { Atomic, CostOf, FieldCodes, OperationName } from "../ApiAnnotations.ts"
import { errors, postCodes } from "../ApiError.ts"
import { pageFields, Truncated } from "../PageView.ts"
import { dateQuery, idText, onlyPageQuery, pageQuery, PhoneNumberText } from "../Parameters.ts"
import * as RequestCost from "../request/RequestCost.ts"
import { DeliveryPage } from "../webhook/WebhookView.ts"
import { CallDetailView, CallHungUp, CallPlanned, CallStarted, CallView } from "./CallView.ts"

const query = Wire.snakeCase(
  Schema.Struct({
    ...pageQuery,
    status: Schema.optionalKey(CallStatus),
    type: Schema.optionalKey(CallDirection),
    agentId: Schema.optionalKey(idText(AgentId)),
    contactId: Schema.optionalKey(idText(ContactId)),
    phoneNumber: Schema.optionalKey(PhoneNumberText),
    search: Schema.optionalKey(Text.searched),
    ...dateQuery
  })
).pipe(Input.decodes(CallQuery))

// The phone number is decoded with the other fields, so that an invalid number does not use up an `Idempotency-Key`.
const payload = Wire.snakeCase(Schema.Struct({ ...CreateCall.fields, phoneNumber: PhoneNumber }))
  .pipe(Input.decodes(CreateCall))
  .annotate({ identifier: "CallStart" })

const params = Wire.snakeCase(Schema.Struct({ callId: Text.storableText }))

const startCodes = [
  "missing_parameter",
  "invalid_phone_number",
  "agent_not_found",
  "agent_archived",
  "contact_not_found",
  "agent_phone_number_missing",
  "do_not_call",
  "concurrency_limit_reached",
  "insufficient_funds",
  "provider_error",
  "provider_unavailable"
] as const

/** The endpoints of calls (C-4.2-1 to C-4.2-5, D-CALL-18). */
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
      .annotate(OpenApi.Summary, "Start an outbound call")
      .annotate(
        OpenApi.Description,
        "Checks the call, reserves its first minute and asks the call provider once. The call is `queued` when it is accepted. With `dry_run` all checks are made and nothing is changed. Send an `Idempotency-Key`, so that a repeat of the request does not place a second call."
      ),
    HttpApiEndpoint.get("list", "/api/v1/calls", {
      query,
      success: Schema.Struct({ ...pageFields, calls: Schema.Array(CallView), truncated: Truncated }),
      error: errors()
    })
      .annotate(OperationName, "calls.list")
      .annotate(CostOf, RequestCost.ofRows)
      .annotate(OpenApi.Summary, "List calls")
      .annotate(
        OpenApi.Description,
        "Returns the calls of the account and of its teams, one page at a time. `search` finds calls whose phone number has the text as a part, such as `5550123`, or whose contact has it in its name, its e-mail address or its company. It examines all calls that the other filters leave. When a page would be too large, the calls in `truncated` have empty large fields. Get such a call by its id."
      ),
    HttpApiEndpoint.get("get", "/api/v1/calls/:call_id", {
      params,
      success: CallDetailView,
      error: errors("not_found")
    })
      .annotate(OperationName, "calls.get")
      .annotate(OpenApi.Summary, "Get a call by its database id or its call id")
      .annotate(
        OpenApi.Description,
        "Returns a call with its tool calls, which lists leave out. The arguments and answers of a tool call are stored as long as the transcript of the call, and are null afterwards."
      ),
    HttpApiEndpoint.get("deliveries", "/api/v1/calls/:call_id/deliveries", {
      params,
      query: onlyPageQuery,
      success: DeliveryPage,
      error: errors("not_found")
    })
      .annotate(OperationName, "calls.deliveries")
      .annotate(CostOf, RequestCost.ofRows)
      .annotate(OpenApi.Summary, "List the deliveries about a call")
      .annotate(
        OpenApi.Description,
        `Returns the deliveries of webhook events about the call to all webhooks of the account, with their attempts, newest first, one page at a time. At most the newest ${maxListed} are listed. Needs the permission \`can_read_webhooks\`.`
      ),
    HttpApiEndpoint.post("hangUp", "/api/v1/calls/:call_id/hang-up", {
      params,
      success: CallHungUp,
      error: errors(...postCodes, "not_found", "provider_unavailable")
    })
      .annotate(OperationName, "calls.hangUp")
      .annotate(Atomic, false)
      .annotate(OpenApi.Summary, "Hang up a call")
      .annotate(
        OpenApi.Description,
        "Asks the call provider to end the call. The call ends when the provider reports its end, so the answer may still show a running call. A call that has ended is returned unchanged."
      )
  )
  .annotate(OpenApi.Title, "Calls")
  .annotate(
    OpenApi.Description,
    "Telephone calls of agents. The status, transcript, recording and summary of a call are updated as the call provider reports them."
  )
