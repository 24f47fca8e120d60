import { FrontdeskError } from "../failure/FrontdeskError.ts"
import type {
  FastifyPlugin,
  FetchHandler,
  HonoContext,
  MountOptions,
  NodeHandler,
  RouteHandlers
} from "../types/mount.ts"
import { fastifyPlugin } from "./fastifyPlugin.ts"
import { fetchHandler, honoHandler, routeHandlers } from "./fetchHandler.ts"
import type { Respond } from "./Incoming.ts"
import { nodeHandler } from "./nodeHandler.ts"

/** Serves the HTTP API inside a program. Each method makes the handler of one framework for the same mount. */
export abstract class Mounts {
  /**
   * Returns the function that answers the requests of a mount, for a framework without a method here. Nothing runs before its
   * first request.
   */
  abstract mount(options: MountOptions): Respond

  /**
   * Returns a middleware of Express: `app.use("/voice", frontdesk.express({ basePath: "/voice" }))`. It may stand before or
   * behind the program's body parsers.
   */
  express(options: MountOptions = {}): NodeHandler {
    return this.node(options)
  }

  /** Returns a middleware of Nest, on Express or Fastify: `app.use(frontdesk.nest({ basePath: "/voice" }))`. */
  nest(options: MountOptions = {}): NodeHandler {
    return this.node(options)
  }

  /** Returns a request listener of `node:http`: `http.createServer(frontdesk.node())`. */
  node(options: MountOptions = {}): NodeHandler {
    return nodeHandler(this.mount(options), basePathOf(options))
  }

  /** Returns a plugin of Fastify: `app.register(frontdesk.fastify({ basePath: "/voice" }))`. */
  fastify(options: MountOptions = {}): FastifyPlugin {
    return fastifyPlugin(this.node(options), basePathOf(options))
  }

  /** Returns a handler of Hono: `app.all("/voice/*", frontdesk.hono({ basePath: "/voice" }))`. */
  hono(options: MountOptions = {}): (context: HonoContext) => Promise<Response> {
    return honoHandler(this.mount(options))
  }

  /**
   * Returns the handlers of a route of Next's app router. The file `app/api/voice/[...path]/route.ts` exports them with the
   * base path `/api/voice`.
   */
  next(options: MountOptions = {}): RouteHandlers {
    return routeHandlers(this.fetch(options))
  }

  /** Returns a function from a `Request` to its `Response`, for Deno, Bun and Workers. */
  fetch(options: MountOptions = {}): FetchHandler {
    return fetchHandler(this.mount(options), basePathOf(options))
  }
}

/** Returns the base path without a slash at its end. Throws for a wrong one. */
export const basePathOf = ({ basePath = "" }: MountOptions): string => {
  const path = basePath.replace(/\/+$/, "")
  if (/^(?:\/[\w.~!$&'()*+,;=:@%-]+)*$/.test(path)) return path
  const message = 'Expected a path such as "/voice"'
  throw new FrontdeskError({
    code: "validation_error",
    status: 400,
    message: `basePath: ${message}`,
    details: [{ field: "basePath", code: "invalid_value", message }],
    retryable: false,
    cause: undefined
  })
}
