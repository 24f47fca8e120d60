import { Agents } from "@frontdesk/core/agent/Agents"
import * as Effect from "effect/Effect"
import type { GroupHandlers } from "../EndpointHandler.ts"
import type { AgentApi } from "./AgentApi.ts"
import { agentView } from "./AgentView.ts"

/** Makes the handlers of {@link AgentApi}. */
export const agentHandlers = Effect.gen(function* () {
  const agents = yield* Agents
  const handlers: GroupHandlers<typeof AgentApi> = {
    list: () => Effect.map(agents.list, (all) => ({ agents: all.map(agentView) })),
    get: ({ params }) => Effect.map(agents.get({ id: params.agentId }), agentView)
  }
  return handlers
})
