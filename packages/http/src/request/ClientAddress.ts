import * as Option from "effect/Option"
import type { ApiRequest } from "./ApiRequest.ts"

/** Returns the address of the client that sent a request. */
export type ClientAddress = (request: Pick<ApiRequest, "headers" | "remoteAddress">) => Option.Option<string>

/** An IPv4 or IPv6 address, which a proxy may write in brackets or with a port. */
const form =
  /^(?:\[([\da-fA-F:.]{2,45})\](?::\d{1,5})?|((?:\d{1,3}\.){3}\d{1,3})(?::\d{1,5})?|(?=.{2,45}$)([\da-fA-F:.]*:[\da-fA-F:.]+))$/

/** Returns whether a text of that form is an address. The host of a URL has the same forms. */
const isAddress = (text: string): boolean =>
  text.includes(":")
    ? URL.canParse(`http://[${text}]`)
    : URL.canParse(`http://${text}`) && new URL(`http://${text}`).hostname === text

const parse = (entry: string | undefined): Option.Option<string> =>
  Option.fromUndefinedOr(
    form
      .exec(entry?.trim() ?? "")
      ?.slice(1)
      .find((part) => part !== undefined)
  ).pipe(Option.filter(isAddress))

/** Returns an IPv4 address in its own form, which a socket for both kinds of addresses shows as an IPv6 address. */
const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "")

/**
 * Makes the function that finds the address of a client behind a number of proxies (D-RATE-6).
 *
 * Each proxy adds the address from which it got the request to the end of `X-Forwarded-For`, so the entry of the outermost
 * trusted proxy is as many places from the end as there are proxies. A client could invent the entries before it. Without such
 * an entry, and without proxies, the address is that of the connection.
 */
export const make = (trustedProxies: number): ClientAddress =>
  trustedProxies === 0
    ? ({ remoteAddress }) => Option.map(remoteAddress, withoutMapping)
    : ({ headers, remoteAddress }) =>
        Option.orElse(parse(headers["x-forwarded-for"]?.split(",").at(-trustedProxies)), () => remoteAddress).pipe(
          Option.map(withoutMapping)
        )
