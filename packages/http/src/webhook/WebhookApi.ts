import { DeliveryId, DeliveryStatus, maxListed } from "@frontdesk/core/delivery/Delivery"
import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import {
  DeliveryQuery,
  RedeliverFailed,
  RotateSecret,
  CreateWebhook,
  PatchWebhook,
  PutWebhook
} from "@frontdesk/core/webhook/WebhookInput"
import * as Input from "@frontdesk/core/values/Input"
import * as Wire from "@frontdesk/core/values/Wire"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { Aliases, CostOf, FieldCodes, OperationName, SecretFields, TakesIdempotencyKey } from "../ApiAnnotations.ts"
import { bodyCodes, errors, postCodes } from "../ApiError.ts"
import { Done } from "../PageView.ts"
import { idText, pageQuery, uuidText } from "../Parameters.ts"
import * as RequestCost from "../request/RequestCost.ts"
import {
  DeliveryDetailView,
  DeliveryRequeued,
  FailedRequeued,
  DeliveryPage,
  TestQueued,
  WebhookIssued,
  WebhookUpdated,
  WebhookView
} from "./WebhookView.ts"

const fields = { webhookId: idText(WebhookId) }
const params = Wire.snakeCase(Schema.Struct(fields))
const deliveryParams = Wire.snakeCase(Schema.Struct({ ...fields, deliveryId: uuidText(DeliveryId) }))

// A create and a PUT require every field of a PATCH except `is_active`.
const { isActive: _isActive, ...written } = PatchWebhook.fields
const required = Struct.map(written, Schema.requiredKey)

const fieldCodes = { url: "invalid_url", subscribed_events: "invalid_event" } as const

const updateCodes = [...bodyCodes, "invalid_url", "invalid_event", "not_found"] as const

/**
 * The endpoints of webhooks (C-4.7-1 to C-4.7-5, D-HOOK-5). One path of the create has no version (C-9-1, D-HOOK-1).
 */
export const WebhookApi = HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.post("create", "/api/v1/api/webhooks/create", {
      payload: Wire.snakeCase(Schema.Struct(required))
        .pipe(Input.decodes(CreateWebhook))
        .annotate({ identifier: "CreateWebhook" }),
      success: WebhookIssued.pipe(HttpApiSchema.status(201)),
      error: errors(...postCodes, "missing_parameter", "invalid_url", "invalid_event", "limit_reached")
    })
      .annotate(OperationName, "webhooks.create")
      .annotate(SecretFields, ["secret"])
      .annotate(FieldCodes, fieldCodes)
      .annotate(Aliases, [
        { path: "/api/v1/webhooks/create", deprecated: false },
        { path: "/api/webhooks/create", deprecated: true }
      ])
      .annotate(OpenApi.Summary, "Create a webhook")
      .annotate(
        OpenApi.Description,
        "The answer contains the `secret` of the webhook, which is not shown again. Receivers need it to verify requests."
      ),
    HttpApiEndpoint.get("list", "/api/v1/webhooks", {
      success: Schema.Struct({ count: Schema.Int, webhooks: Schema.Array(WebhookView) }),
      error: errors()
    })
      .annotate(OperationName, "webhooks.list")
      .annotate(OpenApi.Summary, "List webhooks"),
    HttpApiEndpoint.get("get", "/api/v1/webhooks/:webhook_id", {
      params,
      success: WebhookView,
      error: errors("not_found")
    })
      .annotate(OperationName, "webhooks.get")
      .annotate(OpenApi.Summary, "Get a webhook"),
    HttpApiEndpoint.put("put", "/api/v1/webhooks/:webhook_id/update", {
      params,
      payload: Wire.snakeCase(Schema.Struct({ ...required, isActive: PutWebhook.fields.isActive }))
        .pipe(Input.decodes(PutWebhook))
        .annotate({ identifier: "PutWebhook" }),
      success: WebhookUpdated,
      error: errors(...updateCodes, "missing_parameter", "limit_reached")
    })
      .annotate(OperationName, "webhooks.put")
      .annotate(FieldCodes, fieldCodes)
      .annotate(OpenApi.Summary, "Replace a webhook")
      .annotate(
        OpenApi.Description,
        "Needs `name`, `url` and `subscribed_events`. An absent `is_active` keeps its value. The secret does not change."
      ),
    HttpApiEndpoint.patch("patch", "/api/v1/webhooks/:webhook_id/update", {
      params,
      payload: Wire.snakeCase(PatchWebhook).annotate({ identifier: "PatchWebhook" }),
      success: WebhookUpdated,
      error: errors(...updateCodes, "limit_reached")
    })
      .annotate(OperationName, "webhooks.patch")
      .annotate(FieldCodes, fieldCodes)
      .annotate(OpenApi.Summary, "Change a webhook")
      .annotate(
        OpenApi.Description,
        "Changes only the fields in the body. Setting `is_active` to false cancels pending deliveries."
      ),
    HttpApiEndpoint.post("delete", "/api/v1/webhooks/:webhook_id/delete", {
      params,
      success: Done,
      error: errors(...postCodes, "not_found")
    })
      .annotate(OperationName, "webhooks.delete")
      .annotate(OpenApi.Summary, "Delete a webhook")
      .annotate(OpenApi.Description, "Deletes the webhook and cancels its pending deliveries."),
    HttpApiEndpoint.post("rotateSecret", "/api/v1/webhooks/:webhook_id/rotate-secret", {
      params,
      payload: Wire.snakeCase(RotateSecret).annotate({ identifier: "WebhookSecretRotation" }),
      success: WebhookIssued,
      error: errors(...postCodes, "not_found")
    })
      .annotate(OperationName, "webhooks.rotateSecret")
      .annotate(SecretFields, ["secret"])
      .annotate(OpenApi.Summary, "Rotate the secret of a webhook")
      .annotate(
        OpenApi.Description,
        "The answer contains the new `secret`, which is not shown again. For `grace_hours`, 24 by default, requests are also signed with the old secret."
      ),
    HttpApiEndpoint.post("test", "/api/v1/webhooks/:webhook_id/test", {
      params,
      success: TestQueued,
      error: errors(...postCodes, "not_found")
    })
      .annotate(OperationName, "webhooks.test")
      .annotate(OpenApi.Summary, "Send a test event to a webhook")
      .annotate(
        OpenApi.Description,
        "Sends the webhook event `webhook.test` to this webhook only, also when it is turned off."
      ),
    HttpApiEndpoint.get("deliveries", "/api/v1/webhooks/:webhook_id/deliveries", {
      params,
      query: Wire.snakeCase(Schema.Struct({ ...pageQuery, status: Schema.optionalKey(DeliveryStatus) })).pipe(
        Input.decodes(DeliveryQuery)
      ),
      success: DeliveryPage,
      error: errors("not_found")
    })
      .annotate(OperationName, "webhooks.deliveries")
      .annotate(CostOf, RequestCost.ofRows)
      .annotate(OpenApi.Summary, "List the deliveries of a webhook")
      .annotate(
        OpenApi.Description,
        `Returns the deliveries with their attempts, newest first, one page at a time. The list has at most the newest ${maxListed} deliveries of the webhook, or with \`status\` the newest ${maxListed} with this status. \`count_is_capped\` is true when there are more.`
      ),
    HttpApiEndpoint.get("delivery", "/api/v1/webhooks/:webhook_id/deliveries/:delivery_id", {
      params: deliveryParams,
      success: DeliveryDetailView,
      error: errors("not_found")
    })
      .annotate(OperationName, "webhooks.delivery")
      .annotate(OpenApi.Summary, "Get a delivery")
      .annotate(
        OpenApi.Description,
        "Returns a delivery with its attempts, its request and the beginning of the last answer. The headers are those of the last attempt, signed with the present secret. A caller who may not write webhooks sees no signatures, also not in an answer that repeats the request, and `signatures` says so: `present`, `not_permitted` or `secret_unreadable`. A caller who may not read the calendar sees the `ics_url` of a body without its signature. Both are replaced by `[hidden]`."
      ),
    HttpApiEndpoint.post("redeliver", "/api/v1/webhooks/:webhook_id/deliveries/:delivery_id/redeliver", {
      params: deliveryParams,
      success: DeliveryRequeued,
      error: errors(...postCodes, "not_found", "limit_reached")
    })
      .annotate(OperationName, "webhooks.redeliver")
      .annotate(OpenApi.Summary, "Redeliver a delivery")
      .annotate(
        OpenApi.Description,
        "Requests one more attempt of a delivery that was delivered, failed or cancelled. If the attempt fails, no retries follow. A pending delivery stays as it is."
      ),
    HttpApiEndpoint.post("redeliverFailed", "/api/v1/webhooks/:webhook_id/deliveries/redeliver", {
      params,
      payload: Wire.snakeCase(RedeliverFailed).annotate({ identifier: "RedeliverFailed" }),
      success: FailedRequeued,
      error: errors(...bodyCodes, "missing_parameter", "not_found")
    })
      .annotate(OperationName, "webhooks.redeliverFailed")
      // Its steps are transactions of their own, and a repeat continues where they end (D-DEL-33).
      .annotate(TakesIdempotencyKey, false)
      .annotate(OpenApi.Summary, "Redeliver all failed deliveries")
      .annotate(
        OpenApi.Description,
        "Requests one more attempt of each failed delivery whose webhook event happened from `since` to `until`, by default now, the oldest first. One request makes at most 5,000 deliveries due. When `after` in the answer is not null, more are left: repeat the request with this `after`, the same `since` and the `until` of the answer. A delivery that fails again meanwhile is not sent a third time. One that has had 50 attempts is left out."
      )
  )
  .annotate(OpenApi.Title, "Webhooks")
  .annotate(
    OpenApi.Description,
    "Subscriptions to webhook events about calls and calendar events. The secret of a webhook signs each request to it. The section `webhooks` of this document has the headers with the signatures, and the bodies."
  )
