import * as Result from "effect/Result"
import * as AddressGuard from "./AddressGuard.ts"

/** Where a request goes, in the two parts that a connection pool needs. */
export interface Target {
  readonly origin: string
  readonly path: string
}

type Memory = Map<string, Result.Result<Target, string>>

/** How many URLs are remembered at least. */
const capacity = 1_000

/**
 * A function that tells where the text of a URL leads, or why it may not be requested (`AddressGuard.checkUrl`).
 *
 * It remembers the URLs it was asked for last, so that one in use is not parsed and judged at each request. That is
 * safe because the answer depends on the text alone: what a name resolves to is judged when it is connected to.
 */
export const make = (options: AddressGuard.Allowed): ((text: string) => Result.Result<Target, string>) => {
  let recent: Memory = new Map()
  let older = recent
  return (text) => {
    const known = recent.get(text)
    if (known !== undefined) return known
    if (recent.size >= capacity) {
      older = recent
      recent = new Map()
    }
    const target = older.get(text) ?? Result.map(AddressGuard.checkUrl(text, options), targetOf)
    recent.set(text, target)
    return target
  }
}

const targetOf = ({ origin, pathname, search }: URL): Target => ({ origin, path: `${pathname}${search}` })
