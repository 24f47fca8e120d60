import type { FetchHandler, HonoContext, RouteHandlers } from "../types/mount.ts"
import { member } from "../Foreign.ts"
import { failure, isBelow, requestOf, type Respond } from "./Incoming.ts"

/** Returns the handler of a mount for runtimes that give a `Request`. */
export const fetchHandler =
  (respond: Respond, basePath: string): FetchHandler =>
  (request, ...source) => {
    if (!isBelow(basePath, new URL(request.url).pathname)) {
      return Promise.resolve(failure(404, "not_found", "No route has this path"))
    }
    // Workers and Next would compress a body again whose headers say that it is compressed.
    return respond({ request, source, remoteAddress: addressFrom(request, source), mayCompress: false })
  }

/** Returns the handlers of a mount for a route of the app router of Next. */
export const routeHandlers = (handler: FetchHandler): RouteHandlers => ({
  GET: handler,
  HEAD: handler,
  OPTIONS: handler,
  POST: handler,
  PUT: handler,
  PATCH: handler,
  DELETE: handler
})

/** Returns the handler of a mount for Hono. A body that a middleware has read is taken from Hono. */
export const honoHandler =
  (respond: Respond) =>
  async (context: HonoContext): Promise<Response> => {
    const { raw } = context.req
    const { headers, method, signal, url } = raw
    const request = raw.bodyUsed
      ? requestOf(url, { method, headers, signal, body: new Uint8Array(await context.req.arrayBuffer()) })
      : raw
    return respond({ request, source: context, remoteAddress: addressOf(context.env) })
  }

type Source = ReadonlyArray<unknown>

/** Returns the address that Deno gives as `info.remoteAddr`, and Bun as `server.requestIP(request)`. */
const addressFrom = (request: Request, [given]: Source): string | undefined => {
  if (typeof given !== "object" || given === null) return undefined
  if ("requestIP" in given && typeof given.requestIP === "function") {
    const found: unknown = Reflect.apply(given.requestIP, given, [request])
    return text(found, "address")
  }
  return "remoteAddr" in given ? text(given.remoteAddr, "hostname") : undefined
}

/** Returns the address that the server of Hono for Node gives as `env.incoming.socket.remoteAddress`. */
const addressOf = (env: unknown): string | undefined => text(member(member(env, "incoming"), "socket"), "remoteAddress")

const text = (value: unknown, name: string): string | undefined => {
  const found = member(value, name)
  return typeof found === "string" ? found : undefined
}
