import { withoutBase } from "@frontdesk/core/values/PublicUrl"
import * as FindMyWay from "effect/http/FindMyWay"
import type { Route } from "./Route.ts"

/** All that answers at one path. */
export interface PathRoutes {
  readonly routes: ReadonlyMap<string, Route>
  /** What `Allow` says, HEAD and OPTIONS included. */
  readonly allow: string
}

/** A path that was found, with the values in it. */
export interface Found {
  readonly handler: PathRoutes
  readonly params: Readonly<Record<string, string | undefined>>
}

/**
 * Finds what answers at a path; undefined where nothing does.
 *
 * A path is the same with and without its trailing slash (D-HTTP-10). Methods are looked at afterwards, so that a
 * wrong one can be told from a wrong path. Only a question mark ends a path: `/agents;x` is another one than `/agents`.
 * Every path is found under the base path too.
 */
export const make = (routes: ReadonlyArray<Route>, basePath: string = ""): ((path: string) => Found | undefined) => {
  const byPath = new Map<Route["path"], Map<string, Route>>()
  for (const route of routes) {
    const methods = byPath.get(route.path) ?? new Map<string, Route>()
    byPath.set(route.path, methods.set(route.method, route))
  }
  const router = FindMyWay.make<PathRoutes>({
    ignoreTrailingSlash: true,
    ignoreDuplicateSlashes: false,
    caseSensitive: true,
    // An id of any length is judged by its schema, not by the router.
    maxParamLength: Number.MAX_SAFE_INTEGER
  })
  for (const [path, methods] of byPath) {
    const names = [...methods.keys()].flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    router.on("GET", path, { routes: methods, allow: [...names, "OPTIONS"].join(", ") })
  }
  return (path) => router.find("GET", withoutBase(basePath, path).replace(/[;#]/g, encodeURIComponent))
}
