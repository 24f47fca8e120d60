import * as Context from "effect/Context"

/**
 * Returns the address under which others reach this server: origin and path of a URL, without slashes at the end. Links
 * begin with it, and providers sign it.
 */
export const baseOf = ({ origin, pathname }: { readonly origin: string; readonly pathname: string }): string =>
  `${origin}${pathname}`.replace(/\/+$/, "")

/**
 * The path under which others reach the API, `/voice`, without a slash at its end; empty where it is reached at the root.
 *
 * It begins every link that the API gives, and the API answers at its paths with and without it: a proxy may pass it on or
 * take it away.
 */
export const BasePath = Context.Reference<string>("@frontdesk/core/values/BasePath", { defaultValue: () => "" })

/** Returns a path and its query without the base path, where it begins with it. */
export const withoutBase = (basePath: string, url: string): string =>
  basePath !== "" && url.startsWith(`${basePath}/`) ? url.slice(basePath.length) : url
