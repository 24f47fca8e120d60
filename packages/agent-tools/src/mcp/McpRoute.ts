import { Principal } from "@frontdesk/core/access/Principal"
import * as Conversation from "@frontdesk/core/booking/Conversation"
import { CallSessions } from "@frontdesk/core/call/CallSessions"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import { english } from "../speech/English.ts"
import * as Toolbox from "../tool/Toolbox.ts"
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
  /**
   * The name of the header in which a voice platform names the call of the agent: by the call's database id, by the service's
   * id or by the provider's. Default: {@link defaultCallHeader}.
   */
  readonly callHeader?: string | undefined
}

/** The header in which a voice platform names the call. */
export const defaultCallHeader = "X-Call-Id"

const unknownCall = Toolbox.refusing({ say: english.notAllowed, error: "unknown_call" })

/**
 * Makes the route `POST /mcp`, at which clients of the Model Context Protocol use the tools of an account. Add it to
 * `HttpOptions.callerRoutes` of `@frontdesk/http`. The tools are those for which the API key has the permissions. In a call,
 * which a header names, they act for the person on the telephone. Without a call, the tools that act for that person are not
 * listed.
 *
 * No request depends on an earlier one, so every process can answer it.
 */
export const route = Effect.fnUntraced(function* ({
  allowedOrigins,
  callHeader = defaultCallHeader,
  version = "1.0.0"
}: McpRouteOptions) {
  const { ofCall, ofCaller } = yield* AgentTools
  const sessions = yield* CallSessions
  const answer = McpEndpoint.handle({ name: "frontdesk", version, allowedOrigins })

  /** Returns the tools of the caller, or those of the call that a header names. */
  const toolboxOf = Effect.fnUntraced(function* (callId: string | undefined) {
    const principal = yield* Principal
    const { account, apiKeyId } = principal
    if (callId === undefined || callId === "") {
      const conversation = apiKeyId === null ? Conversation.ofAccount(account.id) : Conversation.ofApiKey(apiKeyId)
      return ofCaller(principal, conversation)
    }
    const session = yield* Effect.orDie(sessions.ofCaller(callId))
    return Option.match(session, { onNone: () => unknownCall, onSome: ofCall })
  })

  return {
    method: "POST",
    path: "/mcp",
    operation: "mcp",
    cost: McpCost.ofBody,
    handler: ({ body, headers, method }: McpRouteRequest) =>
      Effect.map(
        answer({ method, headers, body: Utf8.decode(body) ?? "" }, toolboxOf(headers[callHeader.toLowerCase()])),
        ({ body, headers, status }) => HttpServerResponse.text(body, { status, headers })
      )
  } as const
})
