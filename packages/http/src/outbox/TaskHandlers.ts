import { DeadLetteredTasks } from "@frontdesk/core/outbox/DeadLetteredTasks"
import * as Effect from "effect/Effect"
import type { GroupHandlers } from "../EndpointHandler.ts"
import { pageView } from "../PageView.ts"
import type { TaskApi } from "./TaskApi.ts"
import { tasksRetried, taskView } from "./TaskView.ts"

/** Makes the handlers of {@link TaskApi}. */
export const taskHandlers = Effect.gen(function* () {
  const tasks = yield* DeadLetteredTasks
  const handlers: GroupHandlers<typeof TaskApi> = {
    list: ({ query }) =>
      Effect.map(tasks.list(query), (found) => ({ ...pageView(found), tasks: found.items.map(taskView) })),
    retry: ({ params }) => Effect.as(tasks.retry(params.taskId), { message: "Task queued" }),
    retryAll: ({ payload }) => Effect.map(tasks.retryAll(payload), tasksRetried)
  }
  return handlers
})
