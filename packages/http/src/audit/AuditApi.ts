import { ActorType, maxIdLength } from "@frontdesk/core/audit/Actor"
import { AuditOperation, EntityType } from "@frontdesk/core/audit/AuditOperation"
import { AuditCursor, AuditLimit, AuditQuery, defaultLimit, maxLimit } from "@frontdesk/core/account/AuditLogInput"
import * as Input from "@frontdesk/core/values/Input"
import * as Text from "@frontdesk/core/values/Text"
import * as Wire from "@frontdesk/core/values/Wire"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { CostOf, OperationName, TextAnswer } from "../ApiAnnotations.ts"
import { errors } from "../ApiError.ts"
import { dateQuery, intText } from "../Parameters.ts"
import * as RequestCost from "../request/RequestCost.ts"
import { AuditEntryView } from "./AuditView.ts"

const query = Wire.snakeCase(
  Schema.Struct({
    ...dateQuery,
    actorType: Schema.optionalKey(ActorType),
    actorId: Schema.optionalKey(Text.between(1, maxIdLength)),
    operation: Schema.optionalKey(AuditOperation),
    entityType: Schema.optionalKey(EntityType),
    entityId: Schema.optionalKey(Text.between(1, 200)),
    limit: Schema.optionalKey(intText(AuditLimit)),
    cursor: Schema.optionalKey(AuditCursor)
  })
).pipe(Input.decodes(AuditQuery))

const filters =
  "The filters select by day in the account's time zone, by actor, by operation and by record. An `actor_id` needs its `actor_type`, and an `entity_id` its `entity_type`."

/** The endpoints of the audit log (D-AUD-1). */
export const AuditApi = HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/audit", {
      query,
      success: Schema.Struct({
        entries: Schema.Array(AuditEntryView),
        /** Null on the last page. */
        next_cursor: Schema.NullOr(Schema.String)
      }),
      error: errors()
    })
      .annotate(OperationName, "audit.list")
      .annotate(CostOf, RequestCost.ofRowsUpTo(defaultLimit, maxLimit))
      .annotate(OpenApi.Summary, "List the audit log")
      .annotate(
        OpenApi.Description,
        `Returns every change in the account, newest first: who made it, what it changed, when, the id of the request, and the IP address of the client. ${filters} A page has ${defaultLimit} entries by default and at most ${maxLimit}. Send \`next_cursor\` as \`cursor\` for the next page; it is null on the last one. A change without \`before\` and \`after\` leaves out values that are personal, secret or too large.`
      ),
    HttpApiEndpoint.get("export", "/api/v1/audit/export", {
      query,
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "application/x-ndjson" })),
      error: errors()
    })
      .annotate(OperationName, "audit.export")
      .annotate(TextAnswer, "application/x-ndjson; charset=utf-8")
      .annotate(CostOf, RequestCost.ofRowsUpTo(maxLimit, maxLimit))
      .annotate(OpenApi.Summary, "Export the audit log as JSON Lines")
      .annotate(
        OpenApi.Description,
        `Returns up to ${maxLimit} entries, each as JSON in a line of its own, in the order and with the fields of the list. ${filters} For the rest of the log, send the \`cursor\` of the last line as \`cursor\`, until the answer is empty.`
      )
  )
  .annotate(OpenApi.Title, "Audit log")
  .annotate(
    OpenApi.Description,
    "Who has changed what in the account. Entries are never changed, and are deleted when they are old."
  )
