import type * as Effect from "effect/Effect"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import type * as HttpClient from "effect/http/HttpClient"
import { mapRequest } from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as Redacted from "effect/Redacted"
import { Api } from "./Api.ts"

/** The typed client of the API: a method for each operation, `client.contacts.put({ params, payload })`. */
export type FrontdeskClient = HttpApiClient.ForApi<typeof Api>

/** Where the API is, and who calls it. */
export interface ClientOptions {
  /** What stands before `/api/v1`. */
  readonly baseUrl: string | URL
  readonly apiKey: Redacted.Redacted<string>
  /** Changes the underlying client, for example to try again what was refused as `rate_limited`. */
  readonly transformClient?: ((client: HttpClient.HttpClient) => HttpClient.HttpClient) | undefined
}

/**
 * Makes the typed client on an `HttpClient`, such as `FetchHttpClient.layer`.
 *
 * Methods fail with `ApiError` when the API says no; its `error` is the code.
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
