import { ApiKeyId } from "@frontdesk/core/access/ApiKey"
import { CreateOwnApiKey } from "@frontdesk/core/access/ApiKeyInput"
import * as Input from "@frontdesk/core/values/Input"
import * as Wire from "@frontdesk/core/values/Wire"
import { RotateSecret } from "@frontdesk/core/webhook/WebhookInput"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { OperationName, SecretFields } from "../ApiAnnotations.ts"
import { errors, postCodes } from "../ApiError.ts"
import { idText } from "../Parameters.ts"
import { ApiKeyIssued, ApiKeyRevoked, ApiKeyView } from "./ApiKeyView.ts"

const params = Wire.snakeCase(Schema.Struct({ apiKeyId: idText(ApiKeyId) }))

// A value is always generated here. A value of the caller's own could be a weak one.
const created = Schema.Struct(Struct.omit(CreateOwnApiKey.fields, ["value"]))

const rotation = Schema.Struct({
  graceHours: RotateSecret.fields.graceHours,
  force: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
})

/** The endpoints of API keys (D-KEY-14, D-KEY-15). */
export const ApiKeyApi = HttpApiGroup.make("apiKeys")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/api-keys", {
      success: Wire.snakeCase(Schema.Struct({ count: Schema.Int, apiKeys: Schema.Array(ApiKeyView) })),
      error: errors()
    })
      .annotate(OperationName, "apiKeys.list")
      .annotate(OpenApi.Summary, "List API keys")
      .annotate(OpenApi.Description, "Returns all keys, oldest first, also revoked and expired ones."),
    HttpApiEndpoint.get("get", "/api/v1/api-keys/:api_key_id", {
      params,
      success: ApiKeyView,
      error: errors("not_found")
    })
      .annotate(OperationName, "apiKeys.get")
      .annotate(OpenApi.Summary, "Get an API key"),
    HttpApiEndpoint.post("create", "/api/v1/api-keys/create", {
      payload: Wire.snakeCase(created).pipe(Input.decodes(CreateOwnApiKey)).annotate({ identifier: "CreateApiKey" }),
      success: ApiKeyIssued.pipe(HttpApiSchema.status(201)),
      error: errors(...postCodes, "missing_parameter", "limit_reached")
    })
      .annotate(OperationName, "apiKeys.create")
      .annotate(SecretFields, ["value"])
      .annotate(OpenApi.Summary, "Create an API key")
      .annotate(
        OpenApi.Description,
        "The answer contains the `value` of the key, which is not shown again. The new key can have only permissions that the key of this request has; another one gets `permission_denied`."
      ),
    HttpApiEndpoint.post("rotate", "/api/v1/api-keys/:api_key_id/rotate", {
      params,
      payload: Wire.snakeCase(rotation).annotate({ identifier: "ApiKeyRotation" }),
      success: ApiKeyIssued,
      error: errors(...postCodes, "not_found", "api_key_revoked", "api_key_expired", "api_key_in_grace")
    })
      .annotate(OperationName, "apiKeys.rotate")
      .annotate(SecretFields, ["value"])
      .annotate(OpenApi.Summary, "Rotate an API key")
      .annotate(
        OpenApi.Description,
        "The answer contains the new `value`, which is not shown again. For `grace_hours`, 24 by default, the old value works too. Meanwhile another rotation needs `force`, which ends the oldest value. A key with a permission that the key of this request lacks gets `permission_denied`."
      ),
    HttpApiEndpoint.post("revoke", "/api/v1/api-keys/:api_key_id/revoke", {
      params,
      success: ApiKeyRevoked,
      error: errors(...postCodes, "not_found")
    })
      .annotate(OperationName, "apiKeys.revoke")
      .annotate(OpenApi.Summary, "Revoke an API key")
      .annotate(
        OpenApi.Description,
        "The key stops working at once and for good. A key may revoke itself and keys with more permissions. Revoking a revoked key changes nothing."
      )
  )
  .annotate(OpenApi.Title, "API keys")
  .annotate(
    OpenApi.Description,
    "The keys with which programs use this API. A key has a list of permissions. Its value is shown once and only its digest is stored."
  )
