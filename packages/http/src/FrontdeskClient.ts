import type * as Effect from "effect/Effect"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import type * as HttpClient from "effect/http/HttpClient"
import { mapRequest } from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as Redacted from "effect/Redacted"
import { Api } from "./Api.ts"

/** The typed client of the API, with a method for each operation: `client.contacts.put({ params, payload })`. */
export type FrontdeskClient = HttpApiClient.ForApi<typeof Api>

/** Options of the client. */
export interface ClientOptions {
  /** The URL before `/api/v1`, for example `https://api.example.com`. */
  readonly baseUrl: string | URL
  readonly apiKey: Redacted.Redacted<string>
  /**
   * Wraps the underlying HTTP client, for example to repeat requests that failed with `rate_limited`. Default:
   * unchanged.
   */
  readonly transformClient?: ((client: HttpClient.HttpClient) => HttpClient.HttpClient) | undefined
}

/**
 * Makes the typed client on an `HttpClient`, such as that of `FetchHttpClient.layer`.
 *
 * A method fails with `ApiError` when the API answers with an error. Its field `error` is the error code.
 */
export const make = ({
  apiKey,
  baseUrl,
  transformClient = (client) => client
}: ClientOptions): Effect.Effect<FrontdeskClient, never, HttpClient.HttpClient> =>
  HttpApiClient.make(Api, {
    baseUrl,
    transformClient: (client) => transformClient(mapRequest(client, HttpClientRequest.bearerToken(apiKey)))
  })
