import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** A text that is the same for everyone, before it is compressed. */
export interface Content {
  readonly text: string
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
}

/** Compresses bytes without blocking the thread. */
export type Compress = (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>

/** Compresses bytes with gzip, by the means of any JavaScript runtime. */
const gzip: Compress = async (bytes) => {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

interface Representation {
  readonly bytes: Uint8Array
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
}

/** What is served: the text as it is, and compressed, by the names of `Accept-Encoding`. */
interface Prepared {
  readonly content: Content
  readonly hash: string
  readonly encoded: ReadonlyMap<string, Representation>
}

/** Something that is prepared once, at its first request, and then served from memory. */
export interface Asset {
  /** Returns a text that changes with the content, for URLs that are kept for ever. */
  readonly version: Effect.Effect<string>
  readonly handler: Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest>
}

/**
 * Makes an asset. Its content is made and compressed when it is first asked for; requests that come meanwhile wait for
 * the same result, whoever hangs up.
 */
export const make = Effect.fnUntraced(function* (
  content: Effect.Effect<Content>,
  brotli: Compress | undefined
): Effect.fn.Return<Asset, never, Crypto> {
  const { sha256 } = yield* Crypto
  const compressors: ReadonlyArray<readonly [coding: string, compress: Compress]> = [
    ...(brotli === undefined ? [] : [["br", brotli] as const]),
    ["gzip", gzip]
  ]

  const prepare = Effect.gen(function* () {
    const made = yield* content
    const bytes = new Uint8Array(Utf8.encode(made.text))
    const hash = Hex.encode(yield* sha256(bytes)).slice(0, 32)
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
  let prepared: Promise<Prepared> | undefined
  const once = Effect.promise(() => {
    prepared ??= run(prepare).catch((error: unknown) => {
      prepared = undefined
      throw error
    })
    return prepared
  })

  const handler = Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest
    const { content, encoded } = yield* once
    const chosen = encoded.get(negotiate(headers["accept-encoding"], [...encoded.keys()]))
    if (chosen === undefined) return yield* Effect.die(new Cause.NoSuchElementError("No representation"))
    const common = { ...content.headers, vary: "accept-encoding", etag: chosen.etag }
    if (isFresh(headers["if-none-match"], chosen.etag)) {
      return HttpServerResponse.empty({ status: 304, headers: common })
    }
    return HttpServerResponse.uint8Array(chosen.bytes, {
      headers: { ...common, ...chosen.headers },
      contentType: content.contentType
    })
  })
  return { version: Effect.map(once, ({ hash }) => hash), handler }
})

/** Returns the first of the codings on offer that the caller takes best (RFC 9110, 12.5.3), `identity` where none is. */
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

/** Whether the caller has this representation already. Weak tags count, as RFC 9110, 13.1.2, asks. */
const isFresh = (sent: string | undefined, etag: string): boolean =>
  sent !== undefined && sent.split(",").some((tag) => ["*", etag].includes(tag.trim().replace(/^W\//, "")))
