import { PatchOwnAccount } from "@frontdesk/core/account/OwnAccountInput"
import * as Wire from "@frontdesk/core/values/Wire"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { OperationName } from "../ApiAnnotations.ts"
import { bodyCodes, errors } from "../ApiError.ts"
import { AccountUpdated, AccountView } from "./AccountView.ts"

/** The endpoints of the caller's account (D-ACC-5). */
export const AccountApi = HttpApiGroup.make("account")
  .add(
    HttpApiEndpoint.get("get", "/api/v1/account", { success: AccountView, error: errors() })
      .annotate(OperationName, "account.get")
      .annotate(OpenApi.Summary, "Get the account")
      .annotate(OpenApi.Description, "Returns the account of the key, with its teams, its settings and its money."),
    HttpApiEndpoint.patch("patch", "/api/v1/account/update", {
      payload: Wire.snakeCase(PatchOwnAccount).annotate({ identifier: "PatchAccount" }),
      success: AccountUpdated,
      error: errors(...bodyCodes)
    })
      .annotate(OperationName, "account.patch")
      .annotate(OpenApi.Summary, "Change the account")
      .annotate(
        OpenApi.Description,
        "Changes only the fields in the body, and takes effect with the next request. `working_hours` and `date_overrides` are replaced as a whole. Null clears `slot_interval_minutes`, `contact_statuses` and `contact_stages`. A field that only the operator of the installation changes, such as `price_per_minute`, gets `validation_error`."
      )
  )
  .annotate(OpenApi.Title, "Account")
  .annotate(
    OpenApi.Description,
    "The account of the key: its name, its time zone and working hours, the rules of its calendar and of its agents, and its money."
  )
