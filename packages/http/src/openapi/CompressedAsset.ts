import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { once } from "@frontdesk/core/values/Once"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** The content of an asset, the same for every client, before it is compressed. */
export interface Content {
  readonly text: string
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
}

/** Compresses bytes without blocking the thread. */
export type Compress = (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>

/** Compresses bytes with gzip. It uses only what every JavaScript runtime has. */
const gzip: Compress = async (bytes) => {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

interface Representation {
  readonly bytes: Uint8Array
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
}

/** The prepared content, with a representation for each coding of `Accept-Encoding`, `identity` included. */
interface Prepared {
  readonly content: Content
  readonly hash: string
  readonly encoded: ReadonlyMap<string, Representation>
}

/** A file that is prepared once, at its first request, and then served from memory. */
export interface Asset {
  /** Returns a text that changes with the content, for a URL that clients may cache for ever. */
  readonly version: Effect.Effect<string>
  readonly handler: Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest>
}

/**
 * Makes an asset. Its content is computed and compressed at the first request. Requests that arrive in the meantime
 * wait for the same result, also when the client of the first request disconnects.
 */
export const make = Effect.fnUntraced(function* (
  content: Effect.Effect<Content>,
  brotli: Compress | undefined
): Effect.fn.Return<Asset, never, Crypto> {
  const { sha256Hex } = yield* Crypto
  const compressors: ReadonlyArray<readonly [coding: string, compress: Compress]> = [
    ...(brotli === undefined ? [] : [["br", brotli] as const]),
    ["gzip", gzip]
  ]

  const prepare = Effect.gen(function* () {
    const made = yield* content
    const bytes = new Uint8Array(Utf8.encode(made.text))
    const hash = (yield* sha256Hex(bytes)).slice(0, 32)
    const plain: Representation = { bytes, etag: `"${hash}"`, headers: {} }
    const compressed = yield* Effect.forEach(
      compressors,
      ([coding, compress]) =>
        Effect.map(
          Effect.promise(() => compress(bytes)),
          (smaller) =>
            [
              coding,
              { bytes: smaller, etag: `"${hash}-${coding}"`, headers: { "content-encoding": coding } }
            ] satisfies [string, Representation]
        ),
      { concurrency: "unbounded" }
    )
    return { content: made, hash, encoded: new Map([...compressed, ["identity", plain]]) } satisfies Prepared
  })
  const run = Effect.runPromiseWith(yield* Effect.context())
  const prepared = Effect.promise(once(() => run(prepare)))

  const handler = Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest
    const { content, encoded } = yield* prepared
    const chosen = encoded.get(negotiate(headers["accept-encoding"], [...encoded.keys()]))
    if (chosen === undefined)
      return yield* Effect.die(new Cause.NoSuchElementError("The asset has no representation in the negotiated coding"))
    const common = { ...content.headers, vary: "accept-encoding", etag: chosen.etag }
    if (isFresh(headers["if-none-match"], chosen.etag)) {
      return HttpServerResponse.empty({ status: 304, headers: common })
    }
    return HttpServerResponse.uint8Array(chosen.bytes, {
      headers: { ...common, ...chosen.headers },
      contentType: content.contentType
    })
  })
  return { version: Effect.map(prepared, ({ hash }) => hash), handler }
})

/**
 * Returns the offered coding that an `Accept-Encoding` header prefers (RFC 9110, 12.5.3). Of several equally preferred
 * codings it returns the first, and `identity` if the header accepts none.
 */
export const negotiate = (accepted: string | undefined, offered: ReadonlyArray<string>): string => {
  const weights = new Map<string, number>()
  for (const part of (accepted ?? "").split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2)
    if (name !== "") weights.set(name, weight === undefined ? 1 : Number(weight) || 0)
  }
  const weightOf = (coding: string): number =>
    weights.get(coding) ?? (coding === "identity" ? Number.MIN_VALUE : (weights.get("*") ?? 0))
  const best = Math.max(...offered.map(weightOf))
  return (best > 0 ? offered.find((coding) => weightOf(coding) === best) : undefined) ?? "identity"
}

/** Returns whether `If-None-Match` names this representation. Weak tags match too, as RFC 9110, 13.1.2, requires. */
const isFresh = (sent: string | undefined, etag: string): boolean =>
  sent !== undefined && sent.split(",").some((tag) => ["*", etag].includes(tag.trim().replace(/^W\//, "")))
