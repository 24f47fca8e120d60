import { BasePath } from "@frontdesk/core/values/PublicUrl"
import * as Effect from "effect/Effect"
import * as HttpApiScalar from "effect/http-api/HttpApiScalar"
import * as OpenApi from "effect/http-api/OpenApi"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Api } from "../Api.ts"
import type { PlainRoute } from "../request/Route.ts"
import * as CompressedAsset from "./CompressedAsset.ts"

/** Returns the OpenAPI 3.1 document of the API; `servers` names the base path, where there is one. */
export const openApi = (basePath: string = ""): OpenApi.OpenAPISpec => {
  const document = OpenApi.fromApi(Api)
  return basePath === "" ? document : { ...document, servers: [{ url: basePath }] }
}

/** A caller may keep it and must ask whether it has changed. */
const revalidated = { "cache-control": "no-cache" }

/** A caller may keep it for ever: its URL changes with its content. */
const immutable = { "cache-control": "public, max-age=31536000, immutable" }

// Not before it is needed: the first `Request` of a process loads Node's own `fetch`.
const asked = Effect.sync(() => HttpServerRequest.fromWeb(new Request("http://localhost/docs")))

/** Returns the script of the page. effect has it in a page of its own only, between its first script tags. */
const viewer: Effect.Effect<string> = HttpRouter.toHttpEffect(HttpApiScalar.layer(Api, { path: "/docs" })).pipe(
  Effect.flatten,
  Effect.provideServiceEffect(HttpServerRequest.HttpServerRequest, asked),
  Effect.scoped,
  Effect.orDie,
  Effect.flatMap((response) => Effect.promise(() => HttpServerResponse.toWeb(response).text())),
  Effect.map((html) => html.slice(html.indexOf("<script>") + "<script>".length, html.indexOf("</script>")))
)

// Without what leads to somewhere else: fonts, and the tools that hand the document to another service.
const scalar = { withDefaultFonts: false, favicon: "data:,", showDeveloperTools: "never", hideClientButton: true }

/** Starts the viewer. In a file, because the page allows no script inside it. */
const start = `
;(() => {
  const container = document.getElementById("api-reference-container")
  const url = new URL(container.dataset.openapi, document.baseURI).href
  window.Scalar.createApiReference(container, { ...${JSON.stringify(scalar)}, url })
})()
`

/**
 * Scripts come from this server alone, and none is in the page. Styles may be inside, because the viewer makes its own
 * while it runs; they can load nothing from elsewhere.
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
    <noscript>This page needs JavaScript. The description for machines is at openapi.json.</noscript>
    <script src="${base}docs/viewer.js?v=${version}" defer></script>
  </body>
</html>
`

/**
 * Makes the routes at which the API describes itself, without a key. Nothing is made before it is asked for, everything is
 * made once, and the page loads nothing from elsewhere, so that it works without internet.
 */
export const make = Effect.fnUntraced(function* (brotli: CompressedAsset.Compress | undefined) {
  const basePath = yield* BasePath
  const document = yield* CompressedAsset.make(
    Effect.sync(() => ({
      text: JSON.stringify(openApi(basePath)),
      contentType: "application/json",
      headers: revalidated
    })),
    brotli
  )
  const script = yield* CompressedAsset.make(
    Effect.map(viewer, (text) => ({ text: text + start, contentType: "text/javascript", headers: immutable })),
    brotli
  )
  // Links in the page are relative, so that it works under any path; a slash at the end of its own moves them.
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
  const pageAsAsked = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) =>
    /\/(\?|$)/.test(url) ? pageWithSlash.handler : page.handler
  )
  const routes: ReadonlyArray<PlainRoute> = [
    { _tag: "Plain", method: "GET", path: "/openapi.json", handler: document.handler, isLimited: true },
    { _tag: "Plain", method: "GET", path: "/docs", handler: pageAsAsked, isLimited: true },
    { _tag: "Plain", method: "GET", path: "/docs/viewer.js", handler: script.handler, isLimited: true }
  ]
  return routes
})
