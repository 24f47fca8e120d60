import { TeamId } from "@frontdesk/core/access/Team"
import { ContactId, ContactNumberId } from "@frontdesk/core/contact/Contact"
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

const numberParams = Wire.snakeCase(
  Schema.Struct({ contactId: idText(ContactId), phoneNumberId: idText(ContactNumberId) })
)

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

/** The endpoints of contacts (C-4.3-7, C-4.3-8, D-CON-2). */
export const ContactApi = HttpApiGroup.make("contacts")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/contacts", {
      query,
      success: Schema.Struct({ ...pageFields, contacts: Schema.Array(ContactView), truncated: Truncated }),
      error: errors()
    })
      .annotate(OperationName, "contacts.list")
      .annotate(CostOf, RequestCost.ofRows)
      .annotate(OpenApi.Summary, "List contacts")
      .annotate(
        OpenApi.Description,
        "Returns the contacts of the account and of its teams, one page at a time. When a page would be too large, the contacts in `truncated` have empty large fields. Get such a contact by its id."
      ),
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
      .annotate(OpenApi.Summary, "Replace a contact")
      .annotate(
        OpenApi.Description,
        "Replaces the whole contact. A field that the body omits gets its default. Phone numbers and contexts are replaced as a whole."
      ),
    HttpApiEndpoint.patch("patch", "/api/v1/contacts/:contact_id/update", {
      params,
      payload: Wire.snakeCase(PatchContact).annotate({ identifier: "PatchContact" }),
      success: ContactUpdated,
      error: errors(...bodyCodes, ...teamCodes, "not_found")
    })
      .annotate(OperationName, "contacts.patch")
      .annotate(OpenApi.Summary, "Change a contact")
      .annotate(
        OpenApi.Description,
        "Changes only the fields in the body. Phone numbers that the body does not mention are kept. Contexts are merged, and null under a name removes the name."
      ),
    HttpApiEndpoint.delete("deletePhoneNumber", "/api/v1/contacts/:contact_id/phone-numbers/:phone_number_id", {
      params: numberParams,
      success: ContactUpdated,
      error: errors("not_found")
    })
      .annotate(OperationName, "contacts.deletePhoneNumber")
      .annotate(OpenApi.Summary, "Remove a phone number from a contact")
      .annotate(
        OpenApi.Description,
        "When it was the primary one, the first of the others becomes primary. A number on the do-not-call list stays there, and only the account that owns the contact can remove it."
      ),
    HttpApiEndpoint.delete("delete", "/api/v1/contacts/:contact_id/delete", {
      params,
      success: Done,
      error: errors("not_found")
    })
      .annotate(OperationName, "contacts.delete")
      .annotate(OpenApi.Summary, "Delete a contact")
      .annotate(OpenApi.Description, "Only the account that owns the contact can delete it.")
  )
  .annotate(OpenApi.Title, "Contacts")
  .annotate(
    OpenApi.Description,
    "The people whom the account calls, with their phone numbers, their tags and their own values for variables."
  )
