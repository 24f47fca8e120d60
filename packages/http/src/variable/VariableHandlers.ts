import { BusinessContext } from "@frontdesk/core/business-context/BusinessContext"
import { ContextVariables } from "@frontdesk/core/variable/ContextVariables"
import * as Effect from "effect/Effect"
import type { GroupHandlers } from "../EndpointHandler.ts"
import type { BusinessApi } from "./BusinessApi.ts"
import type { VariableApi } from "./VariableApi.ts"
import { variableView, variableWritten } from "./VariableView.ts"

/** Makes the handlers of {@link VariableApi}. */
export const variableHandlers = Effect.gen(function* () {
  const variables = yield* ContextVariables
  const created = variableWritten("Context variable created")
  const updated = variableWritten("Context variable updated")
  const handlers: GroupHandlers<typeof VariableApi> = {
    list: ({ query }) =>
      Effect.map(variables.list(query.contextType), (all) => ({
        count: all.length,
        variables: all.map(variableView)
      })),
    create: ({ payload }) => Effect.map(variables.create(payload), created),
    put: ({ params, payload }) => Effect.map(variables.put(params.variableId, payload), updated),
    patch: ({ params, payload }) => Effect.map(variables.patch(params.variableId, payload), updated),
    delete: ({ params }) =>
      Effect.as(variables.delete(params.variableId), {
        message: "Context variable deleted. Its stored values are kept"
      })
  }
  return handlers
})

/** Makes the handlers of {@link BusinessApi}. */
export const businessHandlers = Effect.gen(function* () {
  const business = yield* BusinessContext
  const handlers: GroupHandlers<typeof BusinessApi> = {
    get: () => Effect.map(business.get, (variables) => ({ variables })),
    set: ({ payload }) => Effect.as(business.set(payload), { message: "Business context updated" })
  }
  return handlers
})
