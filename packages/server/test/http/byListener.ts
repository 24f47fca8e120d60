import * as FrontdeskHttp from "@frontdesk/http/FrontdeskHttp"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Listener from "frontdesk/Listener"
import * as NodeCrypto from "frontdesk/NodeCrypto"
// oxlint-disable-next-line eslint/no-restricted-imports -- The suite belongs to http, and tests are not published.
import type { Serve } from "../../../http/test/adapters.ts"

const host = "127.0.0.1"

/** Serves the API as the reference server does. */
export const byListener: Serve = Effect.fnUntraced(function* (options) {
  const handlers = yield* FrontdeskHttp.requestHandlers(options)
  const port = yield* Listener.listen(handlers, {
    host,
    port: 0,
    shutdownDelay: Duration.zero,
    shutdownTimeout: Duration.seconds(2)
    // Its random ids must not change the random values of the installation, which those of the web handler equal.
  }).pipe(Effect.provide(NodeCrypto.layer))
  return `http://${host}:${port}`
})
