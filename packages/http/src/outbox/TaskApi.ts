import { DeadLetterQuery, RetryTasks } from "@frontdesk/core/outbox/DeadLetteredTasks"
import { maxRetried } from "@frontdesk/core/outbox/Renewal"
import { OutboxKind } from "@frontdesk/core/outbox/OutboxReport"
import { OutboxTaskId } from "@frontdesk/core/outbox/OutboxTask"
import * as Input from "@frontdesk/core/values/Input"
import * as Wire from "@frontdesk/core/values/Wire"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { CostOf, OnlyKnownFields, OperationName } from "../ApiAnnotations.ts"
import { errors, postCodes } from "../ApiError.ts"
import { Done, pageFields } from "../PageView.ts"
import { idText, pageQuery } from "../Parameters.ts"
import * as RequestCost from "../request/RequestCost.ts"
import { TasksRetried, TaskView } from "./TaskView.ts"

/** The endpoints of the account's dead-lettered tasks (D-OUT-11). */
export const TaskApi = HttpApiGroup.make("tasks")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/tasks/dead-lettered", {
      query: Wire.snakeCase(Schema.Struct({ ...pageQuery, kind: Schema.optionalKey(OutboxKind) })).pipe(
        Input.decodes(DeadLetterQuery)
      ),
      success: Schema.Struct({ ...pageFields, tasks: Schema.Array(TaskView) }),
      error: errors()
    })
      .annotate(OperationName, "tasks.list")
      .annotate(CostOf, RequestCost.ofRows)
      .annotate(OpenApi.Summary, "List the dead-lettered tasks")
      .annotate(
        OpenApi.Description,
        "Returns the mails and the writes to external calendars that were given up after all attempts, newest first."
      ),
    HttpApiEndpoint.post("retry", "/api/v1/tasks/:task_id/retry", {
      params: Wire.snakeCase(Schema.Struct({ taskId: idText(OutboxTaskId) })),
      success: Done,
      error: errors(...postCodes, "not_found")
    })
      .annotate(OperationName, "tasks.retry")
      .annotate(OpenApi.Summary, "Retry a dead-lettered task")
      .annotate(
        OpenApi.Description,
        "Makes the task due at once, as a new task with another id. A mail that is no longer valid is not sent."
      ),
    HttpApiEndpoint.post("retryAll", "/api/v1/tasks/retry", {
      payload: Wire.snakeCase(RetryTasks).annotate({ identifier: "RetryTasks" }),
      success: TasksRetried,
      error: errors(...postCodes)
    })
      .annotate(OperationName, "tasks.retryAll")
      .annotate(OnlyKnownFields, true)
      .annotate(OpenApi.Summary, "Retry the dead-lettered tasks")
      .annotate(
        OpenApi.Description,
        `Retries the tasks, newest first. A request examines at most ${maxRetried} tasks of any kind, so with a \`kind\` it may retry few or none. To retry the older ones too, send the request again with \`before_id\` from \`next_before_id\` of the answer, until that is null. A body with an unknown field gets \`validation_error\`.`
      )
  )
  .annotate(OpenApi.Title, "Tasks")
  .annotate(
    OpenApi.Description,
    "Mails to customers and writes to external calendars, which the server does after a change of a calendar event."
  )
