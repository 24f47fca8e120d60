import * as Effect from "effect/Effect"
import * as HttpApiScalar from "effect/http-api/HttpApiScalar"
import * as OpenApi from "effect/http-api/OpenApi"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Api } from "../Api.ts"
import type { PlainRoute } from "../request/Route.ts"

/** The OpenAPI 3.1 document of the API. */
export const openApi = (): OpenApi.OpenAPISpec => OpenApi.fromApi(Api)

// Made when it is first asked for: most processes never are, and the page brings three megabytes with it.
const document = Effect.runSync(Effect.cached(Effect.sync(() => HttpServerResponse.jsonUnsafe(openApi()))))

// Not before it is needed either: the first `Request` of a process loads Node's own `fetch`.
const asked = Effect.sync(() => HttpServerRequest.fromWeb(new Request("http://localhost/docs")))

// Without what leads to somewhere else: fonts, and the tools that hand the document to another service. The last two
// settings are Scalar's, though effect does not name them.
const scalar = { withDefaultFonts: false, favicon: "data:,", showDeveloperTools: "never", hideClientButton: true }

/** The page has its script and styles in it and loads nothing from anywhere, so that it works without internet. */
const page = HttpRouter.toHttpEffect(HttpApiScalar.layer(Api, { path: "/docs", scalar })).pipe(
  Effect.flatten,
  Effect.provideServiceEffect(HttpServerRequest.HttpServerRequest, asked),
  Effect.scoped,
  Effect.orDie,
  Effect.cached,
  Effect.runSync
)

/** Where the API describes itself, without a key. */
export const routes: ReadonlyArray<PlainRoute> = [
  { _tag: "Plain", method: "GET", path: "/openapi.json", handler: document },
  { _tag: "Plain", method: "GET", path: "/docs", handler: page }
]
