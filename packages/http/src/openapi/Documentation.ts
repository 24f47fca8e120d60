import { CurrentDeliverySettings } from "@frontdesk/core/delivery/DeliverySettings"
import { defaultPrefix } from "@frontdesk/core/webhook-event/WebhookHeaders"
import { BasePath } from "@frontdesk/core/values/BasePath"
import * as Effect from "effect/Effect"
import * as HttpApiScalar from "effect/http-api/HttpApiScalar"
import * as OpenApi from "effect/http-api/OpenApi"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Api } from "../Api.ts"
import type { PlainRoute } from "../request/Route.ts"
import * as CompressedAsset from "./CompressedAsset.ts"
import type { Json } from "./Json.ts"
import * as WebhookDocumentation from "./WebhookDocumentation.ts"

/** What of a server the OpenAPI document names. */
export interface OpenApiOptions {
  /** The public path of the API, without a slash at its end. Default: "", the root. */
  readonly basePath?: string | undefined
  /** The prefix of the headers of webhooks. Default: `X-Service-`. */
  readonly headerPrefix?: string | undefined
}

/** An OpenAPI document with the parts that Effect's type lacks. */
export interface OpenApiDocument extends OpenApi.OpenAPISpec {
  readonly webhooks: Json
  readonly components: OpenApi.OpenAPISpec["components"] & { readonly parameters: Json }
}

/** Returns the OpenAPI 3.1 document of the API. */
export const openApi = ({ basePath = "", headerPrefix = defaultPrefix }: OpenApiOptions = {}): OpenApiDocument => {
  const document = OpenApi.fromApi(Api)
  const { webhooks, ...components } = WebhookDocumentation.webhooks(headerPrefix)
  return {
    ...document,
    // Without a slash at the end, because clients append paths that begin with a slash.
    servers: [{ url: basePath }],
    webhooks,
    components: {
      ...document.components,
      parameters: components.parameters,
      schemas: { ...document.components.schemas, ...components.schemas }
    }
  }
}

/** Clients may cache the response, but must ask each time whether it has changed. */
const revalidated = { "cache-control": "no-cache" }

/** Clients may cache the response for ever, because its URL changes with its content. */
const immutable = { "cache-control": "public, max-age=31536000, immutable" }

// Lazy, because the first `Request` of a process loads Node's implementation of `fetch`.
const pageRequest = Effect.sync(() => HttpServerRequest.fromWeb(new Request("http://localhost/docs")))

/** Returns the script of the viewer. Effect has it only as a part of a whole page, between the first script tags. */
const viewer: Effect.Effect<string> = HttpRouter.toHttpEffect(HttpApiScalar.layer(Api, { path: "/docs" })).pipe(
  Effect.flatten,
  Effect.provideServiceEffect(HttpServerRequest.HttpServerRequest, pageRequest),
  Effect.scoped,
  Effect.orDie,
  Effect.flatMap((response) => Effect.promise(() => HttpServerResponse.toWeb(response).text())),
  Effect.map((html) => html.slice(html.indexOf("<script>") + "<script>".length, html.indexOf("</script>")))
)

// Without web fonts and developer tools, because these load from other servers or send the document to them.
const viewerOptions = {
  withDefaultFonts: false,
  favicon: "data:,",
  showDeveloperTools: "never",
  hideClientButton: true
}

/**
 * The script that starts the viewer. It is in the file of the viewer, because the policy forbids scripts inside the
 * page.
 */
const start = `
;(() => {
  const container = document.getElementById("api-reference-container")
  const url = new URL(container.dataset.openapi, document.baseURI).href
  const servers = [{ url: url.slice(0, url.lastIndexOf("/")) }]
  window.Scalar.createApiReference(container, { ...${JSON.stringify(viewerOptions)}, url, servers })
})()
`

/**
 * The content security policy of the page. Scripts come only from files of this server. Styles inside the page are
 * allowed, because the viewer creates them while it runs. Nothing can be loaded from another server.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

const html = (base: string, version: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Frontdesk</title>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="icon" href="data:," />
  </head>
  <body>
    <div id="api-reference-container" data-openapi="${base}openapi.json"></div>
    <noscript>This page needs JavaScript. The OpenAPI document, which programs can read, is at openapi.json.</noscript>
    <script src="${base}docs/viewer.js?v=${version}" defer></script>
  </body>
</html>
`

/**
 * Makes the routes of the documentation: `/openapi.json`, `/docs` and the script of the page. They need no key.
 *
 * Each file is prepared once, at its first request. The page loads nothing from other servers, so it works without
 * internet.
 */
export const make = Effect.fnUntraced(function* (brotli: CompressedAsset.Compress | undefined) {
  const basePath = yield* BasePath
  const { headerPrefix } = yield* CurrentDeliverySettings
  const document = yield* CompressedAsset.make(
    Effect.sync(() => ({
      text: JSON.stringify(openApi({ basePath, headerPrefix })),
      contentType: "application/json",
      headers: revalidated
    })),
    brotli
  )
  const script = yield* CompressedAsset.make(
    Effect.map(viewer, (text) => ({ text: text + start, contentType: "text/javascript", headers: immutable })),
    brotli
  )
  // Links in the page are relative, so that the page works below any path. Under `/docs/` they need one more level.
  const pageIn = (base: string) =>
    CompressedAsset.make(
      Effect.map(script.version, (version) => ({
        text: html(base, version),
        contentType: "text/html; charset=utf-8",
        headers: { ...revalidated, "content-security-policy": policy }
      })),
      brotli
    )
  const page = yield* pageIn("")
  const pageWithSlash = yield* pageIn("../")
  const pageOfUrl = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) =>
    /^[^?]*\/(\?|$)/.test(url) ? pageWithSlash.handler : page.handler
  )
  const routes: ReadonlyArray<PlainRoute> = [
    { _tag: "Plain", method: "GET", path: "/openapi.json", handler: document.handler, isLimited: true },
    { _tag: "Plain", method: "GET", path: "/docs", handler: pageOfUrl, isLimited: true },
    { _tag: "Plain", method: "GET", path: "/docs/viewer.js", handler: script.handler, isLimited: true }
  ]
  return routes
})
