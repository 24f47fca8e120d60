import { Agents } from "@frontdesk/core/agent/Agents"
import * as Effect from "effect/Effect"
import type { GroupHandlers } from "../EndpointHandler.ts"
import type { AgentApi } from "./AgentApi.ts"
import { agentDeleted, agentView, agentWritten } from "./AgentView.ts"

/** Makes the handlers of {@link AgentApi}. */
export const agentHandlers = Effect.gen(function* () {
  const agents = yield* Agents
  const handlers: GroupHandlers<typeof AgentApi> = {
    list: ({ query }) => Effect.map(agents.list(query), (all) => ({ agents: all.map(agentView) })),
    get: ({ params }) => Effect.map(agents.get({ id: params.agentId }), agentView),
    create: ({ payload }) => Effect.map(agents.create(payload), (agent) => agentWritten(agent, "Agent created")),
    put: ({ params, payload }) =>
      Effect.map(agents.put(params.agentId, payload), (agent) => agentWritten(agent, "Agent updated")),
    patch: ({ params, payload }) =>
      Effect.map(agents.patch(params.agentId, payload), (agent) => agentWritten(agent, "Agent updated")),
    delete: ({ params }) => Effect.map(agents.delete(params.agentId), agentDeleted)
  }
  return handlers
})
