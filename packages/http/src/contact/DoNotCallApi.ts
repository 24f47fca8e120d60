import { ChangedNumbers, DoNotCallQuery, maxChangedNumbers } from "@frontdesk/core/contact/DoNotCallInput"
import * as Input from "@frontdesk/core/values/Input"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as Wire from "@frontdesk/core/values/Wire"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { CostOf, OperationName } from "../ApiAnnotations.ts"
import { errors, postCodes } from "../ApiError.ts"
import { pageFields } from "../PageView.ts"
import { pageQuery, PhoneNumberText } from "../Parameters.ts"
import * as RequestCost from "../request/RequestCost.ts"

const numbers = Schema.Array(PhoneNumber)

const query = Wire.snakeCase(Schema.Struct({ ...pageQuery, phoneNumber: Schema.optionalKey(PhoneNumberText) })).pipe(
  Input.decodes(DoNotCallQuery)
)

const payload = Wire.snakeCase(Schema.Struct({ phoneNumbers: ChangedNumbers.check(Schema.isMinLength(1)) })).annotate({
  identifier: "ChangeDoNotCallList"
})

const changeErrors = errors(...postCodes, "missing_parameter")

/** The endpoints of the do-not-call list (D-DNC-9). */
export const DoNotCallApi = HttpApiGroup.make("doNotCall")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/do-not-call", {
      query,
      success: Wire.snakeCase(Schema.Struct({ ...pageFields, phoneNumbers: numbers })),
      error: errors()
    })
      .annotate(OperationName, "doNotCall.list")
      .annotate(CostOf, RequestCost.ofRows)
      .annotate(OpenApi.Summary, "List the do-not-call list")
      .annotate(
        OpenApi.Description,
        "Returns the numbers that the account must not call, sorted, one page at a time. With `phone_number` the list has that number, or nothing when it is not on the list."
      ),
    HttpApiEndpoint.post("add", "/api/v1/do-not-call", {
      payload,
      success: Schema.Struct({ added: numbers, message: Schema.String }),
      error: changeErrors
    })
      .annotate(OperationName, "doNotCall.add")
      .annotate(OpenApi.Summary, "Add numbers to the do-not-call list")
      .annotate(
        OpenApi.Description,
        `Adds 1 to ${maxChangedNumbers} numbers. Numbers that are on the list already stay there, and \`added\` has the others. Calls to the numbers are refused from then on, whether a contact has them or not.`
      ),
    HttpApiEndpoint.post("remove", "/api/v1/do-not-call/remove", {
      payload,
      success: Schema.Struct({ removed: numbers, message: Schema.String }),
      error: changeErrors
    })
      .annotate(OperationName, "doNotCall.remove")
      .annotate(OpenApi.Summary, "Remove numbers from the do-not-call list")
      .annotate(
        OpenApi.Description,
        `Removes 1 to ${maxChangedNumbers} numbers. \`removed\` has those that were on the list. Contacts of the account with such a number lose \`do_not_call\` too.`
      )
  )
  .annotate(OpenApi.Title, "Do-not-call list")
  .annotate(
    OpenApi.Description,
    "The phone numbers that the account must not call. Numbers of contacts with `do_not_call` are on the list too."
  )
