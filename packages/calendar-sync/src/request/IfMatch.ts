import * as HttpClientRequest from "effect/http/HttpClientRequest"

/** Has a request take effect only while what it changes has this ETag (RFC 9110 13.1.1); null: in any case. */
export const ifMatch = (
  etag: string | null
): ((request: HttpClientRequest.HttpClientRequest) => HttpClientRequest.HttpClientRequest) =>
  etag === null ? (request) => request : HttpClientRequest.setHeader("if-match", etag)
