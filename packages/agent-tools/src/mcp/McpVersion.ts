import * as Base64 from "effect/encoding/Base64"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import { codes, type JsonRpcError, type Params } from "./JsonRpc.ts"

/** The version without a handshake. Each request names its version and the client's capabilities. */
export const stateless = "2026-07-28"

/** The versions with a handshake (`initialize`), newest first. */
export const withHandshake: ReadonlyArray<string> = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]

/** All versions that are served, newest first. */
export const all: ReadonlyArray<string> = [stateless, ...withHandshake]

/** The version of a request without the header, as the specification defines. */
const assumed = "2025-03-26"

/** Returns the version that answers `initialize`: the one that the client offers, or the newest with a handshake. */
export const negotiate = (offered: string): string =>
  withHandshake.includes(offered) ? offered : (withHandshake[0] ?? assumed)

/** Returns whether requests may come in batches. Only one version has them. */
export const hasBatches = (headers: Headers): boolean => (headers["mcp-protocol-version"] ?? assumed) === assumed

/** The headers of a request, with names in lower case. */
export type Headers = Readonly<Record<string, string | undefined>>

const key = "io.modelcontextprotocol"

/** Returns the error of a version that is not served. */
export const unsupported = (requested: string): JsonRpcError => ({
  code: codes.unsupportedProtocolVersion,
  message: `Unsupported protocol version: ${requested.slice(0, 100)}`,
  data: { supported: all, requested: requested.slice(0, 100) }
})

const mismatch = (message: string): JsonRpcError => ({ code: codes.headerMismatch, message })

const metaOf = (params: Params): Option.Option<Params> =>
  Schema.decodeUnknownOption(Schema.Record(Schema.String, Schema.Unknown))(params["_meta"])

const versionClaim = (params: Params): unknown =>
  Option.match(metaOf(params), { onNone: () => undefined, onSome: (meta) => meta[`${key}/protocolVersion`] })

/** Returns whether a request is of the version without a handshake. */
export const isStateless = (headers: Headers, method: string, params: Params): boolean =>
  versionClaim(params) !== undefined || (method !== "initialize" && headers["mcp-protocol-version"] === stateless)

/**
 * Returns the error of a request of the version without a handshake, or undefined. Proxies route by its headers, so they must
 * agree with its body.
 */
export const problemOf = (headers: Headers, method: string, params: Params): JsonRpcError | undefined => {
  const version = headers["mcp-protocol-version"]
  const claim = versionClaim(params)
  if (version === undefined) return mismatch("The header MCP-Protocol-Version is required")
  if (typeof claim !== "string") {
    return { code: codes.invalidParams, message: `params._meta needs ${key}/protocolVersion` }
  }
  if (claim !== version) return mismatch("The header MCP-Protocol-Version differs from the version in params._meta")
  if (version !== stateless) return unsupported(version)
  const capabilities = Option.match(metaOf(params), {
    onNone: () => undefined,
    onSome: (meta) => meta[`${key}/clientCapabilities`]
  })
  if (typeof capabilities !== "object" || capabilities === null) {
    return { code: codes.invalidParams, message: `params._meta needs ${key}/clientCapabilities` }
  }
  if (headers["mcp-method"] !== method) return mismatch("The header Mcp-Method differs from the method")
  if (method !== "tools/call") return undefined
  const name = headers["mcp-name"]
  return name !== undefined && decodeHeader(name) === params["name"]
    ? undefined
    : mismatch("The header Mcp-Name differs from params.name")
}

/** Returns the value of a header, which is wrapped in `=?base64?` and `?=` when it is not printable ASCII. */
const decodeHeader = (value: string): string | undefined => {
  const wrapped = /^=\?base64\?(.*)\?=$/.exec(value)?.[1]
  if (wrapped === undefined) return value
  return Result.match(Base64.decode(wrapped), {
    onFailure: () => undefined,
    onSuccess: (bytes) => Utf8.decode(bytes) ?? undefined
  })
}

/** The metadata of every result of the version without a handshake. */
export const resultMeta = (server: { readonly name: string; readonly version: string }) => ({
  _meta: { [`${key}/serverInfo`]: { name: server.name, version: server.version } },
  resultType: "complete"
})
