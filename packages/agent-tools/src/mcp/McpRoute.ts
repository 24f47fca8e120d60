import { Principal } from "@frontdesk/core/access/Principal"
import * as Conversation from "@frontdesk/core/call/Conversation"
import { CallSessions } from "@frontdesk/core/call/CallSessions"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { AgentTools, ofSession } from "../runner/AgentTools.ts"
import * as McpCost from "./McpCost.ts"
import * as McpEndpoint from "./McpEndpoint.ts"

/** A request to the route. Names of headers are in lower case. */
export interface McpRouteRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
}

/** The header in which a client names its conversation. */
const conversationHeader = "x-conversation-id"

const decodeName = Schema.decodeUnknownOption(Schema.UndefinedOr(Conversation.ConversationName))

const unnamed = McpEndpoint.invalidRequest("The header X-Conversation-Id must have 1 to 100 printable ASCII characters")

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

/**
 * Makes the route `POST /mcp`, at which clients of the Model Context Protocol use the tools of an account. Add it to
 * `HttpOptions.callerRoutes` of `@frontdesk/http`. The tools are those for which the API key has the permissions. In a call,
 * which a header names, they act for the person on the telephone. Without a call, the tools that act for that person are not
 * listed.
 *
 * The header `X-Conversation-Id` names the conversation to which slot holds and repeats belong, so that clients with one API
 * key do not share them. Without it, all clients of a key are one conversation. In a call the header has no effect.
 *
 * No request depends on an earlier one, so every process can answer it.
 */
export const route = Effect.fnUntraced(function* ({
  allowedOrigins,
  callHeader = defaultCallHeader,
  version = "1.0.0"
}: McpRouteOptions) {
  const tools = yield* AgentTools
  const sessions = yield* CallSessions
  const crypto = yield* Crypto
  const receive = McpEndpoint.receive({ name: "frontdesk", version, allowedOrigins })

  /** Returns the tools of the call that a header names, or those of the conversation that the client has named. */
  const toolboxOf = Effect.fnUntraced(
    function* (callId: string | undefined, name: Conversation.ConversationName | undefined) {
      const principal = yield* Principal
      const { account, apiKeyId } = principal
      if (callId === undefined) {
        const own = apiKeyId === null ? Conversation.ofAccount(account.id) : Conversation.ofApiKey(apiKeyId)
        return tools.ofCaller(principal, name === undefined ? own : yield* Conversation.named(own, name))
      }
      return ofSession(tools, yield* Effect.orDie(sessions.ofCaller(callId)))
    },
    Effect.provideService(Crypto, crypto)
  )

  return {
    method: "POST",
    path: "/mcp",
    operation: "mcp",
    handler: ({ body, headers, method }: McpRouteRequest) => {
      const callId = headers[callHeader.toLowerCase()]
      const name = decodeName(headers[conversationHeader])
      const { answer, messages } = Option.isNone(name)
        ? McpEndpoint.rejecting(unnamed)
        : receive({ method, headers, body: Utf8.decode(body) ?? "" })
      return {
        cost: McpCost.ofMessages(messages),
        response: Effect.map(answer(toolboxOf(callId, Option.getOrUndefined(name))), ({ body, headers, status }) =>
          HttpServerResponse.text(body, { status, headers })
        )
      }
    }
  } as const
})
