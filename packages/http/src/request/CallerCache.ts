import type { AccountId } from "@frontdesk/core/access/Account"
import * as RecentMap from "@frontdesk/core/values/RecentMap"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as RateLimitBuckets from "./RateLimitBuckets.ts"

/** Of how many credentials the account is remembered. */
const maxCredentials = 10_000

/** Tells to whom a request belongs before its key has been looked up. */
export interface Callers {
  /** Returns the account of a request whose credential was valid before, otherwise the client's address. */
  readonly of: (request: Pick<HttpServerRequest, "headers" | "remoteAddress">) => string
  /** Remembers that a request's credential is that of an account. */
  readonly remember: (request: Pick<HttpServerRequest, "headers">, account: AccountId) => void
  /** Forgets a credential that turned out not to be valid. */
  readonly forget: (request: Pick<HttpServerRequest, "headers">) => void
}

/** Returns the caller that all requests of an account share, whatever their keys. */
export const ofAccount = (account: AccountId): string => `account:${account}`

/**
 * Makes a memory of which credential belongs to which account, of the {@link maxCredentials} used last. Credentials are
 * remembered by a fingerprint alone. One that was never valid is not remembered, so that inventing credentials makes no
 * further callers.
 */
export const make = (): Callers => {
  const accounts = new Map<number, AccountId>()
  const fingerprint = fingerprinter()
  const credential = ({ headers }: Pick<HttpServerRequest, "headers">): number | undefined => {
    const { authorization } = headers
    return authorization === undefined ? undefined : fingerprint(authorization)
  }
  return {
    of: (request) => {
      const account = accounts.get(credential(request) ?? Number.NaN)
      return account === undefined ? RateLimitBuckets.ofClient(request) : ofAccount(account)
    },
    remember: (request, account) => {
      const key = credential(request)
      if (key !== undefined) RecentMap.set(accounts, key, account, maxCredentials)
    },
    forget: (request) => {
      const key = credential(request)
      if (key !== undefined) accounts.delete(key)
    }
  }
}

/** Returns a function that makes 52 bits of a text, by numbers of this process, so that nobody can look for a collision. */
const fingerprinter = (): ((text: string) => number) => {
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
