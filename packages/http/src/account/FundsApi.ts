import { maxListed, MovementKind } from "@frontdesk/core/access/FundMovement"
import { MovementQuery } from "@frontdesk/core/account/FundMovementInput"
import * as Input from "@frontdesk/core/values/Input"
import * as Text from "@frontdesk/core/values/Text"
import * as Wire from "@frontdesk/core/values/Wire"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { CostOf, OperationName } from "../ApiAnnotations.ts"
import { errors } from "../ApiError.ts"
import { pageFields } from "../PageView.ts"
import { dateQuery, pageQuery } from "../Parameters.ts"
import * as RequestCost from "../request/RequestCost.ts"
import { BalanceView, MovementView } from "./FundsView.ts"

const query = Wire.snakeCase(
  Schema.Struct({
    ...pageQuery,
    kind: Schema.optionalKey(MovementKind),
    callId: Schema.optionalKey(Text.between(1, 255)),
    ...dateQuery
  })
).pipe(Input.decodes(MovementQuery))

/** The endpoints of an account's money (D-BILL-15). */
export const FundsApi = HttpApiGroup.make("funds")
  .add(
    HttpApiEndpoint.get("balance", "/api/v1/account/balance", {
      success: BalanceView,
      error: errors()
    })
      .annotate(OperationName, "funds.balance")
      .annotate(OpenApi.Summary, "Get the balance of the account")
      .annotate(
        OpenApi.Description,
        "Returns what the account can spend, and the three sums that it results from: all deposits, minus the charges of all calls, minus what is reserved for running calls."
      ),
    HttpApiEndpoint.get("movements", "/api/v1/account/movements", {
      query,
      success: Schema.Struct({
        ...pageFields,
        count_is_capped: Schema.Boolean,
        movements: Schema.Array(MovementView)
      }),
      error: errors()
    })
      .annotate(OperationName, "funds.movements")
      .annotate(CostOf, RequestCost.ofRows)
      .annotate(OpenApi.Summary, "List the movements of the balance")
      .annotate(
        OpenApi.Description,
        `Returns every change of the balance, newest first, one page at a time. The amounts of all movements add up to the balance. Old movements are replaced by one \`opening\` with their sum. The list has at most the newest ${maxListed} movements that match the filters. \`count_is_capped\` is true when there are more. \`start_date\` and \`end_date\` are days in the account's time zone.`
      )
  )
  .annotate(OpenApi.Title, "Funds")
  .annotate(OpenApi.Description, "The money of the account: its balance, and the movements that it results from.")
