import { ContactId } from "@frontdesk/core/contact/Contact"
import { ContactImportId, maxPartLength, maxParts, maxRefused } from "@frontdesk/core/contact-file/ContactImport"
import {
  ContactExportQuery,
  ContactImportPart,
  CreateContactImport
} from "@frontdesk/core/contact-file/ContactImportInput"
import { maxBytes, maxRecords } from "@frontdesk/core/erasure/ContactRecord"
import { EraseContact } from "@frontdesk/core/erasure/ErasureReport"
import * as Input from "@frontdesk/core/values/Input"
import * as Wire from "@frontdesk/core/values/Wire"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { CostOf, OperationName, TakesIdempotencyKey } from "../ApiAnnotations.ts"
import { bodyCodes, errors, postCodes } from "../ApiError.ts"
import { pageFields } from "../PageView.ts"
import { idText, onlyPageQuery } from "../Parameters.ts"
import * as RequestCost from "../request/RequestCost.ts"
import { ContactExportView, ContactImportView, ErasureView, RefusedLineView } from "./ContactFileView.ts"
import { ContactRecordView } from "./ContactRecordView.ts"

const params = Wire.snakeCase(Schema.Struct({ importId: idText(ContactImportId) }))

const exportQuery = Schema.Struct({ after: Schema.optionalKey(idText(ContactId)) }).pipe(
  Input.decodes(ContactExportQuery)
)

/** The endpoints of the imports of contacts (D-IMP-1). */
export const ContactImportApi = HttpApiGroup.make("contactImports")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/contact-imports", {
      query: onlyPageQuery,
      success: Schema.Struct({ ...pageFields, imports: Schema.Array(ContactImportView) }),
      error: errors()
    })
      .annotate(OperationName, "contactImports.list")
      .annotate(CostOf, RequestCost.ofRows)
      .annotate(OpenApi.Summary, "List imports of contacts")
      .annotate(OpenApi.Description, "Returns the imports of the account, newest first, one page at a time."),
    HttpApiEndpoint.post("create", "/api/v1/contact-imports/create", {
      payload: Wire.snakeCase(CreateContactImport).annotate({ identifier: "CreateContactImport" }),
      success: ContactImportView.pipe(HttpApiSchema.status(201)),
      error: errors(...postCodes, "limit_reached")
    })
      .annotate(OperationName, "contactImports.create")
      .annotate(OpenApi.Summary, "Create an import of contacts")
      .annotate(
        OpenApi.Description,
        "Then add the CSV text in parts, and start the import. `columns` says which column fills which field; without it, each column that has the name of a field fills it, as in an exported file. `on_known` decides about lines whose phone number or e-mail address a contact has. With `dry_run` lines are only checked."
      ),
    HttpApiEndpoint.get("get", "/api/v1/contact-imports/:import_id", {
      params,
      success: ContactImportView,
      error: errors("not_found")
    })
      .annotate(OperationName, "contactImports.get")
      .annotate(OpenApi.Summary, "Get an import of contacts")
      .annotate(OpenApi.Description, "Returns the status and how many lines were read so far, with their results."),
    HttpApiEndpoint.post("addPart", "/api/v1/contact-imports/:import_id/parts", {
      params,
      payload: Wire.snakeCase(ContactImportPart).annotate({ identifier: "ContactImportPart" }),
      success: ContactImportView,
      error: errors(...postCodes, "missing_parameter", "not_found", "import_not_uploading")
    })
      .annotate(OperationName, "contactImports.addPart")
      .annotate(OpenApi.Summary, "Add a part of a file")
      .annotate(
        OpenApi.Description,
        `Stores one part of the CSV text. Parts have the numbers 1 to at most ${maxParts} and may be cut anywhere. A part that is sent again replaces the earlier one. A file has at most ${Math.floor((maxParts * maxPartLength) / 1_000_000)} million characters.`
      ),
    HttpApiEndpoint.post("start", "/api/v1/contact-imports/:import_id/start", {
      params,
      success: ContactImportView,
      error: errors(...postCodes, "not_found", "import_not_uploading", "import_incomplete")
    })
      .annotate(OperationName, "contactImports.start")
      .annotate(OpenApi.Summary, "Start an import of contacts")
      .annotate(
        OpenApi.Description,
        "The lines are imported after the answer. Starting a running import changes nothing."
      ),
    HttpApiEndpoint.post("cancel", "/api/v1/contact-imports/:import_id/cancel", {
      params,
      success: ContactImportView,
      error: errors(...postCodes, "not_found")
    })
      .annotate(OperationName, "contactImports.cancel")
      .annotate(OpenApi.Summary, "Cancel an import of contacts")
      .annotate(
        OpenApi.Description,
        "Deletes the parts that are stored. Contacts that were created or changed stay. An import that has ended stays as it is."
      ),
    HttpApiEndpoint.get("refused", "/api/v1/contact-imports/:import_id/refused", {
      params,
      query: onlyPageQuery,
      success: Schema.Struct({ ...pageFields, lines: Schema.Array(RefusedLineView) }),
      error: errors("not_found")
    })
      .annotate(OperationName, "contactImports.refused")
      .annotate(CostOf, RequestCost.ofRows)
      .annotate(OpenApi.Summary, "List the refused lines of an import")
      .annotate(
        OpenApi.Description,
        `Returns the lines that were not imported, with the reasons and their cells, sorted by line. The header is line 1. An import stores the first ${maxRefused} of them.`
      )
  )
  .annotate(OpenApi.Title, "Contact imports")
  .annotate(
    OpenApi.Description,
    "Contacts from CSV files. A file is sent in parts, checked line by line, and imported in the background."
  )

/** The endpoints that export contacts (D-IMP-7). */
export const ContactExportApi = HttpApiGroup.make("contactExports")
  .add(
    HttpApiEndpoint.get("page", "/api/v1/contacts/export", {
      query: exportQuery,
      success: ContactExportView,
      error: errors()
    })
      .annotate(OperationName, "contactExports.page")
      .annotate(CostOf, RequestCost.ofExport)
      .annotate(OpenApi.Summary, "Export contacts as CSV")
      .annotate(
        OpenApi.Description,
        "Returns a part of a CSV file with all contacts that the account owns. Send the request again with `after` set to `next`, until `next` is null. All `csv` texts one after the other are the file. Cells that a spreadsheet would take for a formula begin with an apostrophe, which an import removes."
      )
  )
  .annotate(OpenApi.Title, "Contact exports")
  .annotate(OpenApi.Description, "The contacts of the account as files.")

const contactParams = Wire.snakeCase(Schema.Struct({ contactId: idText(ContactId) }))

/** The endpoint that erases a contact (D-ERASE-1). */
export const ContactErasureApi = HttpApiGroup.make("contactErasures")
  .add(
    HttpApiEndpoint.post("erase", "/api/v1/contacts/:contact_id/erase", {
      params: contactParams,
      payload: EraseContact.annotate({ identifier: "EraseContact" }),
      success: ErasureView,
      error: errors(...bodyCodes, "missing_parameter", "not_found", "contact_in_call")
    })
      .annotate(OperationName, "contactErasures.erase")
      // A repeat continues the erasure, and a stored answer would only name the contact again.
      .annotate(TakesIdempotencyKey, false)
      .annotate(CostOf, RequestCost.ofExport)
      .annotate(OpenApi.Summary, "Erase a contact")
      .annotate(
        OpenApi.Description,
        "Deletes the contact, and removes the person from calls, tool calls, calendar events, waiting mails, webhook deliveries, stored answers and refused lines of imports. Calls keep their times and charges, and calendar events their times. Send `confirm` as true: nothing can be restored. A request that was interrupted can be repeated. `remaining` lists what the erasure does not reach. Only the account that owns the contact can erase it."
      )
  )
  .annotate(OpenApi.Title, "Contact erasures")
  .annotate(OpenApi.Description, "Erases a person from all records of the account.")

/** The endpoint that exports everything of one contact (D-ERASE-7). */
export const ContactRecordApi = HttpApiGroup.make("contactRecords")
  .add(
    HttpApiEndpoint.get("get", "/api/v1/contacts/:contact_id/export", {
      params: contactParams,
      success: ContactRecordView,
      error: errors("not_found")
    })
      .annotate(OperationName, "contactRecords.get")
      .annotate(CostOf, RequestCost.ofExport)
      .annotate(OpenApi.Summary, "Export everything of a contact")
      .annotate(
        OpenApi.Description,
        `Returns the contact with the records of the account about it: calls with their tool calls, calendar events, further tool calls about the events, and webhook deliveries with what they send. Calls and events without a contact belong to it if they have its phone number or e-mail address. Each list has the newest records, at most ${maxRecords}, and ends when their JSON has ${maxBytes} bytes. \`truncated\` says which lists are not complete; the ordinary lists have the rest. Only the account that owns the contact can export it.`
      )
  )
  .annotate(OpenApi.Title, "Contact records")
  .annotate(OpenApi.Description, "Everything that the account has stored about one person.")
