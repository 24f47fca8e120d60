import * as Effect from "effect/Effect"
import * as OpenApi from "effect/http-api/OpenApi"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Api } from "../Api.ts"
import type { PlainRoute } from "../request/Route.ts"
/** x */
export const routes: ReadonlyArray<PlainRoute> = [
  { _tag: "Plain", method: "GET", path: "/openapi.json", handler: Effect.sync(() => HttpServerResponse.jsonUnsafe(OpenApi.fromApi(Api))) }
]
