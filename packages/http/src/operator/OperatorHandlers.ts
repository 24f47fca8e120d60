import { CurrentInstallation } from "@frontdesk/core/operator/Installation"
import { Operator } from "@frontdesk/core/operator/Operator"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { GroupHandlers } from "../EndpointHandler.ts"
import { pageView } from "../PageView.ts"
import type { OperatorApi } from "./OperatorApi.ts"
import { tasksRetried } from "../outbox/TaskView.ts"
import { accountOverviewView, accountTaskView, backlogView, depositView, installationView } from "./OperatorView.ts"

/** Makes the handlers of {@link OperatorApi}. */
export const operatorHandlers = Effect.gen(function* () {
  const operator = yield* Operator
  const installation = yield* CurrentInstallation
  const handlers: GroupHandlers<typeof OperatorApi> = {
    accounts: ({ query }) =>
      Effect.map(operator.accounts(query), (found) => ({
        ...pageView(found),
        count_is_capped: found.isCapped ?? false,
        accounts: found.items.map(accountOverviewView)
      })),
    deposit: ({ params, payload }) =>
      Effect.map(operator.deposit(params.accountId, payload), (funds) =>
        depositView(params.accountId, payload.amount, funds)
      ),
    backlog: () => Effect.map(operator.backlog, backlogView),
    tasks: ({ query }) =>
      Effect.map(operator.tasks(query), (found) => ({ ...pageView(found), tasks: found.items.map(accountTaskView) })),
    retryTask: ({ params }) => Effect.as(operator.retryTask(params.taskId), { message: "Task queued" }),
    retryTasks: ({ payload }) => Effect.map(operator.retryTasks(payload), tasksRetried),
    installation: () =>
      Effect.gen(function* () {
        const workers = yield* installation?.workers ?? Effect.succeed([])
        return installationView(installation, workers, yield* operator.nodes, yield* DateTime.now)
      })
  }
  return handlers
})
