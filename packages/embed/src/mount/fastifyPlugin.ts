import type { FastifyPlugin, NodeHandler } from "../types/mount.ts"

const methods = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]

/**
 * Returns the plugin of a mount. Its routes are below the base path, and the bodies of their requests are not parsed by
 * Fastify. When the plugin is registered with a prefix, that is the base path.
 */
export const fastifyPlugin =
  (handler: NodeHandler, basePath: string): FastifyPlugin =>
  (scope, _, done) => {
    scope.removeAllContentTypeParsers()
    // A body stays unread, so that the handler reads it.
    scope.addContentTypeParser("*", (_request: unknown, _payload: unknown, parsed: (error: null) => void) =>
      parsed(null)
    )
    for (const path of ["/", "/*"]) {
      scope.route({
        method: methods,
        url: scope.prefix === "" ? `${basePath}${path}` : path,
        handler: (request: Exchange, reply: Reply) => {
          reply.hijack()
          handler(Object.assign(request.raw, { ip: request.ip }), reply.raw)
        }
      })
    }
    done()
  }

interface Exchange {
  readonly ip: string
  readonly raw: Parameters<NodeHandler>[0]
}

interface Reply {
  readonly raw: Parameters<NodeHandler>[1]
  hijack(): unknown
}
