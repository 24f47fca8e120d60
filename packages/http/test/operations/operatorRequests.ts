import type { Operation } from "@frontdesk/core/access/Permission"
import { type OperationRequest, type Target, v1 } from "./OperationRequest.ts"

/** The requests of the operations of the operator, for an account that no installation has. */
export const operatorRequests = {
  "operator.accounts": ({ n }) => ({
    method: "GET",
    path: `${v1}/operator/accounts${n % 2 ? "" : "?search=a&limit=5"}`
  }),
  "operator.deposit": ({ n }) => ({
    method: "POST",
    path: `${v1}/operator/accounts/9007199254740991/deposits`,
    body: { amount: n + 1 }
  }),
  "operator.backlog": () => ({ method: "GET", path: `${v1}/operator/backlog` }),
  "operator.tasks": ({ n }) => ({
    method: "GET",
    path: `${v1}/operator/tasks/dead-lettered${n % 2 ? "" : "?kind=mail"}`
  }),
  "operator.retryTask": () => ({
    method: "POST",
    path: `${v1}/operator/tasks/9007199254740991/retry`
  }),
  "operator.retryTasks": ({ n }) => ({
    method: "POST",
    path: `${v1}/operator/tasks/retry`,
    body: n % 2 ? {} : { kind: "mail" }
  }),
  "operator.installation": () => ({ method: "GET", path: `${v1}/operator/installation` })
} as const satisfies { readonly [Op in Operation]?: (target: Target) => OperationRequest }
