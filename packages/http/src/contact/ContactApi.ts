import { TeamId } from "@frontdesk/core/access/Team"
import { ContactId } from "@frontdesk/core/contact/Contact"
import { CreateContact, PatchContact, PutContact, ContactQuery } from "@frontdesk/core/contact/ContactInput"
import * as Input from "@frontdesk/core/values/Input"
import * as Wire from "@frontdesk/core/values/Wire"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { CostOf, OperationName } from "../ApiAnnotations.ts"
import { bodyCodes, errors, postCodes } from "../ApiError.ts"
import { Done, pageFields, Truncated } from "../PageView.ts"
import { idText, pageQuery, PhoneNumberText, SearchText } from "../Parameters.ts"
import * as RequestCost from "../request/RequestCost.ts"
import { ContactCreated, ContactUpdated, ContactView } from "./ContactView.ts"

const params = Wire.snakeCase(Schema.Struct({ contactId: idText(ContactId) }))

const query = Wire.snakeCase(
  Schema.Struct({
    ...pageQuery,
    search: Schema.optionalKey(SearchText),
    phoneNumber: Schema.optionalKey(PhoneNumberText),
    tag: Schema.optionalKey(SearchText),
    status: Schema.optionalKey(SearchText),
    stage: Schema.optionalKey(SearchText),
    teamId: Schema.optionalKey(idText(TeamId))
  })
).pipe(Input.decodes(ContactQuery))

const teamCodes = ["team_access_denied", "team_not_found"] as const

/** The contacts of the caller (C-4.3-7, C-4.3-8, D-CON-2). */
export const ContactApi = HttpApiGroup.make("contacts")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/contacts", {
      query,
      success: Schema.Struct({ ...pageFields, contacts: Schema.Array(ContactView), truncated: Truncated }),
      error: errors()
    })
      .annotate(OperationName, "contacts.list")
      .annotate(CostOf, RequestCost.ofRows)
      .annotate(OpenApi.Summary, "List contacts"),
    HttpApiEndpoint.post("create", "/api/v1/contacts/create", {
      payload: Wire.snakeCase(CreateContact).annotate({ identifier: "CreateContact" }),
      success: ContactCreated.pipe(HttpApiSchema.status(201)),
      error: errors(...postCodes, ...teamCodes, "limit_reached")
    })
      .annotate(OperationName, "contacts.create")
      .annotate(OpenApi.Summary, "Create a contact"),
    HttpApiEndpoint.get("get", "/api/v1/contacts/:contact_id", {
      params,
      success: ContactView,
      error: errors("not_found")
    })
      .annotate(OperationName, "contacts.get")
      .annotate(OpenApi.Summary, "Get a contact"),
    HttpApiEndpoint.put("put", "/api/v1/contacts/:contact_id/update", {
      params,
      payload: Wire.snakeCase(PutContact).annotate({ identifier: "PutContact" }),
      success: ContactUpdated,
      error: errors(...bodyCodes, ...teamCodes, "not_found")
    })
      .annotate(OperationName, "contacts.put")
      .annotate(OpenApi.Summary, "Replace a contact"),
    HttpApiEndpoint.patch("patch", "/api/v1/contacts/:contact_id/update", {
      params,
      payload: Wire.snakeCase(PatchContact).annotate({ identifier: "PatchContact" }),
      success: ContactUpdated,
      error: errors(...bodyCodes, ...teamCodes, "not_found")
    })
      .annotate(OperationName, "contacts.patch")
      .annotate(OpenApi.Summary, "Change a contact"),
    HttpApiEndpoint.delete("delete", "/api/v1/contacts/:contact_id/delete", {
      params,
      success: Done,
      error: errors("not_found")
    })
      .annotate(OperationName, "contacts.delete")
      .annotate(OpenApi.Summary, "Delete a contact")
  )
  .annotate(OpenApi.Title, "Contacts")
  .annotate(
    OpenApi.Description,
    "The people who call and are called, with their phone numbers and what is known of them."
  )
