import * as Result from "effect/Result"
import type * as AddressGuard from "./AddressGuard.ts"
import * as WebhookUrl from "./WebhookUrl.ts"

/** The destination of a request, in the two parts that a connection pool needs. */
export interface Target {
  readonly origin: string
  readonly path: string
}

type Cache = Map<string, Result.Result<Target, string>>

/** How many of the most recent URLs are always cached. The cache has at most twice as many URLs. */
const capacity = 1_000

/**
 * Returns a function that maps a URL to its target, or to the reason why it is not allowed (`WebhookUrl.check`).
 *
 * The function caches the most recent URLs, so that a URL in use is not parsed and checked for each request. Caching is
 * safe because the result depends only on the text: the addresses of a name are checked at each connection.
 */
export const make = (options: AddressGuard.Allowed): ((text: string) => Result.Result<Target, string>) => {
  let recent: Cache = new Map()
  let older = recent
  return (text) => {
    const known = recent.get(text)
    if (known !== undefined) return known
    if (recent.size >= capacity) {
      older = recent
      recent = new Map()
    }
    const target = older.get(text) ?? Result.map(WebhookUrl.check(text, options), targetOf)
    recent.set(text, target)
    return target
  }
}

const targetOf = ({ origin, pathname, search }: URL): Target => ({ origin, path: `${pathname}${search}` })
