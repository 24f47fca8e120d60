import { withoutBase } from "@frontdesk/core/values/BasePath"
import * as FindMyWay from "effect/http/FindMyWay"
import type { Route } from "./Route.ts"

/** The routes of one path, by method. */
export interface PathRoutes {
  readonly routes: ReadonlyMap<string, Route>
  /** The value of the `Allow` header, with HEAD and OPTIONS. */
  readonly allow: string
}

/** The routes of a path, with the values of its parameters. */
export interface Found {
  readonly handler: PathRoutes
  readonly params: Readonly<Record<string, string | undefined>>
}

/**
 * Makes the function that finds the routes of a path, or returns `undefined` when there are none.
 *
 * A path is the same with and without a trailing slash (D-HTTP-10). The method is checked afterwards, because a wrong
 * method is another error than a wrong path. Only a question mark ends a path: `/agents;x` and `/agents` are different
 * paths. Every path is found with and without the base path.
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
    // The schema of an id reports an id that is too long, and the router must not.
    maxParamLength: Number.MAX_SAFE_INTEGER
  })
  // Every path is added under GET, because the router is asked for paths and not for methods.
  for (const [path, methods] of byPath) {
    const names = [...methods.keys()].flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    router.on("GET", path, { routes: methods, allow: [...names, "OPTIONS"].join(", ") })
  }
  return (path) => router.find("GET", withoutBase(basePath, path).replace(/[;#]/g, encodeURIComponent))
}
