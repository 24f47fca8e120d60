import * as Effect from "effect/Effect"
import { TracerDisabledWhen } from "effect/http/HttpMiddleware"
import * as Layer from "effect/Layer"

/**
 * Keeps requests with a sign-in link out of traces, beside those that the program keeps out itself. The span of a request has its
 * URL, and with it the token of the link.
 */
export const layer: Layer.Layer<never> = Layer.effect(
  TracerDisabledWhen,
  Effect.map(TracerDisabledWhen, (isDisabled) => (request) => request.url.includes("/sign-in/") || isDisabled(request))
)
