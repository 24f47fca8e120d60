import type { AccountId } from "@frontdesk/core/access/Account"
import { RecentMap } from "@frontdesk/core/values/RecentMap"
import type { ApiRequest } from "./ApiRequest.ts"

/** The maximum number of credentials whose account is remembered. */
const maxCredentials = 20_000

/**
 * Finds the caller of a request before its key has been looked up, so that the request can wait in that caller's queue.
 */
export interface CallerCache {
  /**
   * Returns the caller of a request: the account when the `Authorization` header belonged to a valid key before,
   * otherwise the address of the client.
   */
  readonly of: (request: Pick<ApiRequest, "headers" | "remoteAddress">) => string
  /** Remembers which account the `Authorization` header of a request belongs to. */
  readonly remember: (request: Pick<ApiRequest, "headers">, account: AccountId) => void
  /** Removes what is remembered for the `Authorization` header of a request, because its key is not valid. */
  readonly forget: (request: Pick<ApiRequest, "headers">) => void
}

/** Returns the caller that stands for an account. All its requests share it, whatever their keys. */
export const ofAccount = (account: AccountId): string => `account:${account}`

/**
 * Makes a cache with the account of each of the last 10,000 credentials that were used.
 *
 * The cache holds a hash of each credential and not its text. A credential that was never valid is not remembered.
 * Otherwise a client could become many callers by inventing credentials.
 *
 * @param ofClient returns the caller of a request whose credential is not remembered
 */
export const make = (ofClient: CallerCache["of"]): CallerCache => {
  const accounts = new RecentMap<number, AccountId>(maxCredentials)
  const hash = makeHash()
  const credential = ({ headers }: Pick<ApiRequest, "headers">): number | undefined => {
    const { authorization } = headers
    return authorization === undefined ? undefined : hash(authorization)
  }
  return {
    of: (request) => {
      const account = accounts.get(credential(request) ?? Number.NaN)
      return account === undefined ? ofClient(request) : ofAccount(account)
    },
    remember: (request, account) => {
      const key = credential(request)
      if (key !== undefined) accounts.set(key, account)
    },
    forget: (request) => {
      const key = credential(request)
      if (key !== undefined) accounts.delete(key)
    }
  }
}

/**
 * Returns a function that hashes a text to 52 bits. The seeds are random in each process, so that a client cannot
 * compute two texts with the same hash.
 */
const makeHash = (): ((text: string) => number) => {
  const seed = () => Math.floor(Math.random() * 0x1_0000_0000)
  const [highSeed, lowSeed] = [seed(), seed()]
  return (text) => {
    let [high, low] = [highSeed, lowSeed]
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      high = Math.imul(high ^ code, 0x85eb_ca6b)
      high ^= high >>> 15
      low = Math.imul(low ^ code, 0xc2b2_ae35)
      low ^= low >>> 13
    }
    return (high >>> 12) * 0x1_0000_0000 + (low >>> 0)
  }
}
