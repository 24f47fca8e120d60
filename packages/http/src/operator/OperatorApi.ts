import { AccountId } from "@frontdesk/core/access/Account"
import { maxSearched } from "@frontdesk/core/access/AccountStore"
import { maxCounted } from "@frontdesk/core/operator/Backlog"
import { AccountQuery, AccountSearch, RetryTasksOfAccounts } from "@frontdesk/core/operator/OperatorInput"
import { maxListed } from "@frontdesk/core/operator/ServerNode"
import { OutboxQuery } from "@frontdesk/core/outbox/OutboxOperations"
import { OutboxKind } from "@frontdesk/core/outbox/OutboxReport"
import { OutboxTaskId } from "@frontdesk/core/outbox/OutboxTask"
import { maxRetried } from "@frontdesk/core/outbox/Renewal"
import * as Input from "@frontdesk/core/values/Input"
import { MoneyFromNumber } from "@frontdesk/core/values/Money"
import * as Wire from "@frontdesk/core/values/Wire"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { CostOf, KeyAccount, OnlyKnownFields, OperationName } from "../ApiAnnotations.ts"
import { errors, postCodes } from "../ApiError.ts"
import { TasksRetried } from "../outbox/TaskView.ts"
import { Done, pageFields } from "../PageView.ts"
import { idText, pageQuery } from "../Parameters.ts"
import * as RequestCost from "../request/RequestCost.ts"
import { AccountOverviewView, AccountTaskView, BacklogView, DepositView, InstallationView } from "./OperatorView.ts"

const query = Wire.snakeCase(Schema.Struct({ ...pageQuery, search: Schema.optionalKey(AccountSearch) })).pipe(
  Input.decodes(AccountQuery)
)

const deposit = Schema.Struct({
  amount: MoneyFromNumber.check(Schema.isGreaterThan(0, { expected: "an amount above zero" }))
}).annotate({ identifier: "CreateDeposit" })

/** The endpoints of the operator of the installation (D-OP-1 to D-OP-7). */
export const OperatorApi = HttpApiGroup.make("operator")
  .add(
    HttpApiEndpoint.get("accounts", "/api/v1/operator/accounts", {
      query,
      success: Schema.Struct({
        ...pageFields,
        count_is_capped: Schema.Boolean,
        accounts: Schema.Array(AccountOverviewView)
      }),
      error: errors()
    })
      .annotate(OperationName, "operator.accounts")
      .annotate(CostOf, RequestCost.ofRows)
      .annotate(OpenApi.Summary, "List all accounts")
      .annotate(
        OpenApi.Description,
        `Returns the newest ${maxSearched} accounts of the installation with their balance, newest first, one page at a time. \`search\` selects those whose name contains the text, and any account with this id. \`count_is_capped\` is true when the installation has more accounts.`
      ),
    HttpApiEndpoint.post("deposit", "/api/v1/operator/accounts/:account_id/deposits", {
      params: Wire.snakeCase(Schema.Struct({ accountId: idText(AccountId) })),
      payload: deposit,
      success: DepositView.pipe(HttpApiSchema.status(201)),
      error: errors(...postCodes, "not_found")
    })
      .annotate(OperationName, "operator.deposit")
      // The operator may repeat the request while signed in to another account.
      .annotate(KeyAccount, "account_id")
      .annotate(OpenApi.Summary, "Deposit money to an account")
      .annotate(
        OpenApi.Description,
        "Adds the `amount`, in units of the account's currency, to the balance of the account. The movements and the audit log of the account show it. A deposit cannot be taken back. Send an `Idempotency-Key`, so that a repeat does not deposit twice, whichever account you are signed in to."
      ),
    HttpApiEndpoint.get("backlog", "/api/v1/operator/backlog", { success: BacklogView, error: errors() })
      .annotate(OperationName, "operator.backlog")
      .annotate(OpenApi.Summary, "Count waiting work")
      .annotate(
        OpenApi.Description,
        `Counts the tasks and the webhook deliveries of all accounts that wait, and the tasks that were given up. Each count is at most ${maxCounted}, and \`is_capped\` is true when there are more.`
      ),
    HttpApiEndpoint.get("tasks", "/api/v1/operator/tasks/dead-lettered", {
      query: Wire.snakeCase(
        Schema.Struct({
          ...pageQuery,
          accountId: Schema.optionalKey(idText(AccountId)),
          kind: Schema.optionalKey(OutboxKind)
        })
      ).pipe(Input.decodes(OutboxQuery)),
      success: Schema.Struct({ ...pageFields, tasks: Schema.Array(AccountTaskView) }),
      error: errors()
    })
      .annotate(OperationName, "operator.tasks")
      .annotate(CostOf, RequestCost.ofRows)
      .annotate(OpenApi.Summary, "List the dead-lettered tasks of all accounts")
      .annotate(
        OpenApi.Description,
        "Returns the mails and the writes to external calendars of all accounts, or of one, that were given up after all attempts, newest first."
      ),
    HttpApiEndpoint.post("retryTask", "/api/v1/operator/tasks/:task_id/retry", {
      params: Wire.snakeCase(Schema.Struct({ taskId: idText(OutboxTaskId) })),
      success: Done,
      error: errors(...postCodes, "not_found")
    })
      .annotate(OperationName, "operator.retryTask")
      .annotate(OpenApi.Summary, "Retry a dead-lettered task of any account")
      .annotate(
        OpenApi.Description,
        "Makes the task due at once, as a new task with another id. The audit log of its account names the operator."
      ),
    HttpApiEndpoint.post("retryTasks", "/api/v1/operator/tasks/retry", {
      payload: Wire.snakeCase(RetryTasksOfAccounts).annotate({ identifier: "RetryTasksOfAccounts" }),
      success: TasksRetried,
      error: errors(...postCodes)
    })
      .annotate(OperationName, "operator.retryTasks")
      .annotate(OnlyKnownFields, true)
      .annotate(OpenApi.Summary, "Retry the dead-lettered tasks of all accounts")
      .annotate(
        OpenApi.Description,
        `Retries the tasks of all accounts, or of one, newest first. A request examines at most ${maxRetried} tasks of any kind, so with a \`kind\` it may retry few or none. To retry the older ones too, send the request again with \`before_id\` from \`next_before_id\` of the answer, until that is null. A body with an unknown field gets \`validation_error\`.`
      ),
    HttpApiEndpoint.get("installation", "/api/v1/operator/installation", {
      success: InstallationView,
      error: errors()
    })
      .annotate(OperationName, "operator.installation")
      .annotate(OpenApi.Summary, "Get the installation")
      .annotate(
        OpenApi.Description,
        `Returns the versions of the server that answers, the kind and the schema of its database, and the background workers of its process. \`nodes\` has every process on the same database by name, at most ${maxListed}. Each reports itself every 30 seconds, with its number of workers and how many of them wait for their restart, and \`is_silent\` is true when it has not done so for 2 minutes. A process that stops is taken off the list, and a silent one after a day. A program that embeds Frontdesk may state nothing: then the versions are null, and \`workers\` is empty.`
      )
  )
  .annotate(OpenApi.Title, "Operator")
  .annotate(
    OpenApi.Description,
    "What the operator of the installation does for all accounts. It needs the permission `can_operate`, which no API key and no role has: only a person who has signed in to the dashboard as operator."
  )
