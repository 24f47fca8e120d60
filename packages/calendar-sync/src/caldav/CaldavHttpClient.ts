import * as Context from "effect/Context"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"

/**
 * The HTTP client for CalDAV servers. Accounts enter their addresses, so the client must not open a connection to an
 * address that an account may not reach, such as one of the operator's own network (D-DAV-9). It then fails with a cause that has
 * the code `ADDRESS_REFUSED`.
 *
 * `PublicHttpClient` of `@frontdesk/webhook-sender` is such a client.
 */
export class CaldavHttpClient extends Context.Service<CaldavHttpClient, HttpClient.HttpClient>()(
  "@frontdesk/calendar-sync/caldav/CaldavHttpClient"
) {
  /** Provides a given client. */
  static readonly layer = <E, R>(
    client: Layer.Layer<HttpClient.HttpClient, E, R>
  ): Layer.Layer<CaldavHttpClient, E, R> => Layer.provide(Layer.effect(CaldavHttpClient, HttpClient.HttpClient), client)

  /** A client for every address. It is for programs that enter the addresses themselves. */
  static readonly layerUnguarded: Layer.Layer<CaldavHttpClient> = CaldavHttpClient.layer(FetchHttpClient.layer)
}
