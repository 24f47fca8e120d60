import * as Context from "effect/Context"

/**
 * Returns the base of the server's public URLs: origin and path of a URL, without slashes at the end. Links begin with
 * it, and call providers include it in what they sign.
 */
export const baseOf = ({ origin, pathname }: { readonly origin: string; readonly pathname: string }): string =>
  `${origin}${pathname}`.replace(/\/+$/, "")

/**
 * The public path of the API without a slash at its end, for example `/voice`. Empty when the API is at the root.
 *
 * All paths of the contract are relative to it (C-0-1). Every link in an answer begins with it. The API accepts
 * requests with and without it, because a proxy may remove it.
 */
export const BasePath = Context.Reference<string>("@frontdesk/core/values/BasePath", { defaultValue: () => "" })

/**
 * The base path of the API that answers the present request, if one program serves the API below several paths. Null: the
 * {@link BasePath}.
 */
export const RequestBasePath = Context.Reference<string | null>("@frontdesk/core/values/BasePath/RequestBasePath", {
  defaultValue: () => null
})

/** Returns a path and query without the base path. A path that does not begin with the base path is unchanged. */
export const withoutBase = (basePath: string, url: string): string =>
  basePath !== "" && url.startsWith(`${basePath}/`) ? url.slice(basePath.length) : url
