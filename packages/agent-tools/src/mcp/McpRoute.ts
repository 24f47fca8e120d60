import { Principal } from "@frontdesk/core/access/Principal"
import * as Conversation from "@frontdesk/core/booking/Conversation"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { AgentTools } from "../runner/AgentTools.ts"
import * as McpCost from "./McpCost.ts"
import * as McpEndpoint from "./McpEndpoint.ts"

/** A request to the route. Names of headers are in lower case. */
export interface McpRouteRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
}

/** Options of {@link route}. */
export interface McpRouteOptions {
  /** The version of the server, which clients show. Default: that of the HTTP API, `1.0.0`. */
  readonly version?: string | undefined
  /** The origins whose pages may use the route from a browser. Default: none. */
  readonly allowedOrigins?: ReadonlyArray<string> | undefined
}

/**
 * Makes the route `POST /mcp`, at which clients of the Model Context Protocol use the tools of an account. Add it to
 * `HttpOptions.callerRoutes` of `@frontdesk/http`. Without a call, the tools are those that need no person on the telephone: `get_context`,
 * `find_slots`, `hold_slot` and `book`, as far as the API key has the permissions.
 *
 * No request depends on an earlier one, so every process can answer it.
 */
export const route = Effect.fnUntraced(function* ({ allowedOrigins, version = "1.0.0" }: McpRouteOptions) {
  const { ofApiKey } = yield* AgentTools
  const answer = McpEndpoint.handle({ name: "frontdesk", version, allowedOrigins })

  /** Returns the tools of the caller. */
  const toolbox = Effect.map(Principal, (principal) => {
    const { account, apiKeyId } = principal
    const conversation = apiKeyId === null ? Conversation.ofAccount(account.id) : Conversation.ofApiKey(apiKeyId)
    return ofApiKey({ principal, conversation })
  })

  return {
    method: "POST",
    path: "/mcp",
    operation: "mcp",
    cost: McpCost.ofBody,
    handler: ({ body, headers, method }: McpRouteRequest) =>
      Effect.map(answer({ method, headers, body: Utf8.decode(body) ?? "" }, toolbox), ({ body, headers, status }) =>
        HttpServerResponse.text(body, { status, headers })
      )
  } as const
})
