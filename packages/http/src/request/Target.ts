import type { ApiRequest } from "./ApiRequest.ts"
import type { FurtherRoute, OperationRoute, PlainRoute, Route } from "./Route.ts"
import * as Router from "./Router.ts"

/** The endpoint that a request is for, with the parts of its URL. */
export interface OperationTarget {
  readonly _tag: "Operation"
  readonly route: OperationRoute
  readonly params: Router.Found["params"]
  /** The text after the question mark. */
  readonly query: string
  /** Whether a person sends the request in the dashboard. Absent: no. */
  readonly isOfDashboard?: true
}

/** What a request is for that is not an operation of the API. */
export type OtherTarget =
  | { readonly _tag: "Plain"; readonly route: PlainRoute }
  | { readonly _tag: "Caller"; readonly route: FurtherRoute }
  | { readonly _tag: "Options"; readonly allow: string }
  | { readonly _tag: "OtherMethod"; readonly allow: string }
  | { readonly _tag: "Unknown" }

/** What a request is for. */
export type Target = OperationTarget | OtherTarget

/** Finds what a request is for. */
export type Find = (request: Asked) => Target

/** The parts of a request that decide what it is for. */
export type Asked = Pick<ApiRequest, "method" | "url" | "headers">

/**
 * Returns a function that also finds the operations below the dashboard, and its page for an address that is not one of its pages.
 *
 * @param dashboard `apiUrl` returns the URL of the API for a URL below the dashboard, and undefined for any other URL
 */
export const withDashboard =
  (
    find: Find,
    findOperation: Find,
    {
      apiUrl,
      unknownPage
    }: { apiUrl: (url: string) => string | undefined; unknownPage: (asked: Asked) => PlainRoute | undefined }
  ): Find =>
  (asked) => {
    const own = apiUrl(asked.url)
    if (own === undefined) {
      const target = find(asked)
      const isMissing = target._tag === "Unknown" || target._tag === "OtherMethod"
      const page = isMissing ? unknownPage(asked) : undefined
      return page === undefined ? target : { _tag: "Plain", route: page }
    }
    const target = findOperation({ ...asked, url: own })
    return target._tag === "Operation" ? { ...target, isOfDashboard: true } : target
  }

/** Returns a function that finds what a request is for. */
export const finder = (routes: ReadonlyArray<Route>, basePath: string): Find => {
  const findPath = Router.make(routes, basePath)
  return ({ method, url }) => {
    const mark = url.indexOf("?")
    const found = findPath(mark === -1 ? url : url.slice(0, mark))
    if (found === undefined) return { _tag: "Unknown" }
    const { allow, routes } = found.handler
    if (method === "OPTIONS") return { _tag: "Options", allow }
    const route = routes.get(method === "HEAD" ? "GET" : method)
    if (route === undefined) return { _tag: "OtherMethod", allow }
    if (route._tag === "Plain") return { _tag: "Plain", route }
    if (route._tag === "Caller") return { _tag: "Caller", route }
    return { _tag: "Operation", route, params: found.params, query: mark === -1 ? "" : url.slice(mark + 1) }
  }
}
