import { OwnApiKeys } from "@frontdesk/core/access/OwnApiKeys"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { GroupHandlers } from "../EndpointHandler.ts"
import type { ApiKeyApi } from "./ApiKeyApi.ts"
import { apiKeyIssued, apiKeyView } from "./ApiKeyView.ts"

/** Makes the handlers of {@link ApiKeyApi}. */
export const apiKeyHandlers = Effect.gen(function* () {
  const apiKeys = yield* OwnApiKeys
  const handlers: GroupHandlers<typeof ApiKeyApi> = {
    list: Effect.fnUntraced(function* () {
      const all = yield* apiKeys.list
      const now = yield* DateTime.now
      return { count: all.length, apiKeys: all.map((key) => apiKeyView(key, now)) }
    }),
    get: Effect.fnUntraced(function* ({ params }) {
      return apiKeyView(yield* apiKeys.get(params.apiKeyId), yield* DateTime.now)
    }),
    create: Effect.fnUntraced(function* ({ payload }) {
      const issued = yield* apiKeys.create(payload)
      return apiKeyIssued(
        issued,
        yield* DateTime.now,
        "API key created. Store its value, because it is not shown again"
      )
    }),
    rotate: Effect.fnUntraced(function* ({ params, payload: { force, graceHours } }) {
      const issued = yield* apiKeys.rotate(params.apiKeyId, {
        force: force ?? false,
        grace: typeof graceHours === "number" ? Duration.hours(graceHours) : undefined
      })
      return apiKeyIssued(
        issued,
        yield* DateTime.now,
        "API key rotated. Store its new value, because it is not shown again"
      )
    }),
    revoke: Effect.fnUntraced(function* ({ params }) {
      const key = yield* apiKeys.revoke(params.apiKeyId)
      return { ...apiKeyView(key, yield* DateTime.now), message: "API key revoked" }
    })
  }
  return handlers
})
