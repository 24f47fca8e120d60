import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import * as Effect from "effect/Effect"
import * as Cookies from "effect/http/Cookies"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { ApiRequest } from "../request/ApiRequest.ts"
import { originOf } from "./SameOrigin.ts"

/** The cookie of a browser with the token of a session. */
export interface SessionCookie {
  /** Returns the token in the cookie of a request. Anything that is not a token counts as absent. */
  readonly read: (request: Pick<ApiRequest, "headers">) => Effect.Effect<Option.Option<Redacted.Redacted<string>>>
  /** Returns the `Set-Cookie` header that stores a token for some milliseconds. */
  readonly set: (
    request: Pick<ApiRequest, "headers">,
    token: Redacted.Redacted<string>,
    millis: number
  ) => Effect.Effect<string>
  /** Returns the `Set-Cookie` header that removes the cookie. */
  readonly clear: (request: Pick<ApiRequest, "headers">) => Effect.Effect<string>
}

const token = /^[A-Za-z0-9_-]{43}$/

/**
 * Makes the cookie of a dashboard (D-MEM-10).
 *
 * Over https it is `__Host-fd_<hash>` with `Path=/`: no other host and no page over http can set such a cookie. Over http it is
 * `fd_<hash>`, which browsers send only below the dashboard. The hash covers the origin and the path, because cookies do not
 * tell ports apart, and several dashboards may share a host.
 *
 * @param origin the configured origin
 * @param path the public path of the dashboard
 */
export const make = Effect.fnUntraced(function* (origin: string | undefined, path: string) {
  const crypto = yield* Crypto
  const forOrigin = Effect.fnUntraced(function* (own: string) {
    const isSecure = own.startsWith("https:")
    const hash = (yield* crypto.sha256Hex(Utf8.encode(`${own}${path}`))).slice(0, 16)
    return isSecure
      ? { name: `__Host-fd_${hash}`, attributes: "Path=/; Secure; HttpOnly; SameSite=Lax" }
      : { name: `fd_${hash}`, attributes: `Path=${path}; HttpOnly; SameSite=Lax` }
  })
  const configured = origin === undefined ? undefined : yield* forOrigin(origin)
  const describe = (request: Pick<ApiRequest, "headers">) =>
    configured === undefined ? forOrigin(originOf(undefined, request) ?? "") : Effect.succeed(configured)
  return {
    read: (request) =>
      Effect.map(describe(request), ({ name }) => {
        const value = Cookies.parseHeader(request.headers["cookie"] ?? "")[name]
        return value !== undefined && token.test(value)
          ? Option.some(Redacted.make(value, { label: "token" }))
          : Option.none()
      }),
    set: (request, value, millis) =>
      Effect.map(describe(request), ({ attributes, name }) => {
        return `${name}=${Redacted.value(value)}; Max-Age=${Math.floor(millis / 1_000)}; ${attributes}`
      }),
    clear: (request) => Effect.map(describe(request), ({ attributes, name }) => `${name}=; Max-Age=0; ${attributes}`)
  } satisfies SessionCookie
})
