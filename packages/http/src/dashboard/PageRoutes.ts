import { escapeHtml } from "@frontdesk/core/values/Html"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as CompressedAsset from "../openapi/CompressedAsset.ts"
import type { PlainRoute } from "../request/Route.ts"
import { headersWith, type SignIn } from "./DashboardPages.ts"
import { type DashboardFiles, headMark } from "./DashboardFiles.ts"

/** What the pages are served with. */
export interface PageOptions {
  readonly files: DashboardFiles
  /** The path of the dashboard among the routes of the server. */
  readonly mount: `/${string}`
  /** The public path of the dashboard. */
  readonly path: string
  readonly signIn: SignIn
  readonly brotli: CompressedAsset.Compress | undefined
}

/**
 * The headers of every page. Scripts and styles are files of this server alone, and no other server is asked for anything. The
 * only exception is the recording of a call, which the browser loads from the call provider when a person plays it.
 */
const headers = {
  "cache-control": "no-cache",
  ...headersWith(
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "media-src https:",
    "form-action 'self'",
    "base-uri 'self'"
  )
}

/** Clients may cache a file for ever, because its path changes with its content. */
const immutable = { "cache-control": "public, max-age=31536000, immutable" }

/**
 * Makes the routes of the pages and of the files that they load, and the route for an address that is not one of the pages. They have nothing of an account, so they need no session: the
 * pages ask the API.
 */
export const make = Effect.fnUntraced(function* ({ brotli, files, mount, path, signIn }: PageOptions) {
  const route = (below: string, { handler }: CompressedAsset.Asset, operation: string): PlainRoute => ({
    _tag: "Plain",
    method: "GET",
    path: `${mount}${below}`,
    operation: `dashboard.${operation}`,
    handler
  })
  // Every address in the pages is relative to the base, so that they work below any path.
  const meta = (name: string, content: string): string => `<meta name="${name}" content="${escapeHtml(content)}">`
  const head = [
    `<base href="${escapeHtml(path)}/">`,
    meta("frontdesk-sign-in", signIn.way),
    ...(signIn.way === "program" && signIn.url !== undefined ? [meta("frontdesk-sign-in-url", signIn.url)] : [])
  ].join("")
  const page = yield* CompressedAsset.make(
    Effect.succeed({
      text: files.html.replace(headMark, () => head),
      contentType: "text/html; charset=utf-8",
      headers
    }),
    brotli
  )
  const assets = yield* Effect.forEach(files.assets, ({ contentType, path: below, text }) =>
    Effect.map(CompressedAsset.make(Effect.succeed({ text, contentType, headers: immutable }), brotli), (asset) =>
      route(below, asset, "file")
    )
  )
  // The pages show what an address without a page gets, in the form of all others.
  const unknown = {
    ...route("", page, "unknown"),
    handler: Effect.map(page.handler, (response) =>
      response.status === 200 ? HttpServerResponse.setStatus(response, 404) : response
    )
  }
  return {
    pages: [route("", page, "page"), ...files.paths.map((below) => route(below, page, "page")), ...assets],
    unknown
  }
})
