import type { Permission } from "./common.ts"
import type { MemberRole } from "./people.ts"

/** The caller of a request, whom the program has found among its own users. */
export interface RequestCaller {
  /** The account, by its id, a number, or by the ref with which it was provisioned, a text. */
  readonly accountId: number | string
  /** What the caller may do. `"*"` means everything. When it is missing, the answer is 500. */
  readonly permissions: ReadonlyArray<Permission | "*">
  /** Names the rate limit of the caller, for example that of a user. Default: all callers of the account share one. */
  readonly rateKey?: string | undefined
}

/** What a program answers about a request: its caller, or nothing for a request without one. */
export type FoundCaller = RequestCaller | null | undefined | false

/** How many ordinary requests a caller may make within a time. */
export interface RateLimitOptions {
  readonly requests: number
  /** Text such as "60s", or milliseconds. */
  readonly window: string | number
}

/** A user of the program, as it uses the dashboard. */
export interface DashboardUser {
  /** The account, by its id, a number, or by the ref with which it was provisioned, a text. */
  readonly accountId: number | string
  readonly role: MemberRole
  /** The id of the user in the program. It also names the rate limit of the user. Default: all users of the account share one. */
  readonly userId?: string | undefined
  /** The name that other people see. Default: "". */
  readonly name?: string | undefined
  /**
   * Whether the user is the operator of the installation, who sees all accounts and makes deposits to them. The program decides it
   * alone, so it must be true only for its own staff. Default: false.
   */
  readonly isOperator?: boolean | undefined
}

/** What a program answers about a request to the dashboard: its user, or nothing for a request without one. */
export type FoundUser = DashboardUser | null | undefined | false

/** How a mount serves the dashboard. */
export interface DashboardOptions {
  /** The path of the dashboard below the base path, such as `/dashboard`. */
  readonly path: string
  /**
   * The origin at which browsers reach the mount, such as `https://app.example.com`. Default: that of `dashboardUrl`, or else the
   * host of the request over http. Without it, cookies are not marked as secure.
   */
  readonly origin?: string | undefined
  /**
   * Finds the user of a request among those of the program, in place of sign-in links and sessions. It receives a `Request` without
   * its body, and the request of the framework. When it throws or returns anything else than a user, the answer is 500.
   */
  // oxlint-disable-next-line typescript/no-explicit-any -- The request of any framework. A program names its own type.
  readonly resolve?: ((request: Request, source: any) => FoundUser | Promise<FoundUser>) | undefined
  /**
   * Where a person without a user signs in to the program: an absolute URL, or a path of the same origin such as `/sign-in`. The
   * page "Not signed in" leads there. Only with `resolve`. Default: the page only says that the program signs people in.
   */
  readonly signInUrl?: string | undefined
  /** Whether the dashboard changes nothing, whatever the roles of people are. Default: false. */
  readonly readOnly?: boolean | undefined
  /** The pages: `files()` of `@frontdesk/dashboard`. Default: a page that only says who is signed in. */
  readonly files?: DashboardFiles | undefined
}

/** The pages of the dashboard as files, as `files` of `@frontdesk/dashboard` returns them. */
export interface DashboardFiles {
  readonly html: string
  readonly assets: ReadonlyArray<{ readonly path: `/${string}`; readonly contentType: string; readonly text: string }>
  readonly paths: ReadonlyArray<`/${string}`>
}

/** The options of a mount. */
export interface MountOptions {
  /**
   * The path of the mount, such as `/voice`. Links, the OpenAPI document and its page begin with it. Requests for other paths
   * are left to the program. Default: the API is at the root.
   */
  readonly basePath?: string | undefined
  /**
   * Finds the caller of a request among the users of the program. It receives a `Request` of the Fetch standard without its
   * body, and the request of the framework. `null` is answered with 401. When it throws or returns anything else than a
   * caller, the answer is 500.
   *
   * Signed links, `/openapi.json` and `/docs` have no caller. Default: callers send an API key of Frontdesk.
   */
  // oxlint-disable-next-line typescript/no-explicit-any -- The request of any framework. A program names its own type.
  readonly authenticate?: ((request: Request, source: any) => FoundCaller | Promise<FoundCaller>) | undefined
  /** Serves the dashboard. Default: there is none. */
  readonly dashboard?: DashboardOptions | undefined
  /** The rate limit of each caller in this process. Null: none. Default: 600 requests in 60 seconds. */
  readonly rateLimit?: RateLimitOptions | null | undefined
  /** The maximum size of a body in bytes. Default: 1 MiB. */
  readonly maxBodySize?: number | undefined
  /** The header in which an MCP client names the call in which it uses the tools of agents. Default: `X-Call-Id`. */
  readonly mcpCallHeader?: string | undefined
  /** The origins whose pages may call the API from a browser. Default: none. */
  readonly corsOrigins?: ReadonlyArray<string> | undefined
  /** Whether `/openapi.json` and `/docs` are served. Default: true. */
  readonly docs?: boolean | undefined
}

/** A request of `node:http`, also as Express, Fastify and Nest extend it. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly httpVersion?: string | undefined
  readonly headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined }
  readonly socket: { readonly remoteAddress?: string | undefined }
  readonly readableDidRead: boolean
  on(event: "data", listener: (chunk: Uint8Array) => void): unknown
  on(event: "end" | "close", listener: () => void): unknown
  on(event: "error", listener: (error: Error) => void): unknown
  pause(): unknown
  resume(): unknown
}

/** A response of `node:http`. */
export interface NodeResponse {
  readonly writableFinished: boolean
  writeHead(status: number, headers: { readonly [name: string]: string }): unknown
  write(chunk: Uint8Array): boolean
  end(): unknown
  destroy(error?: Error): unknown
  once(event: "close" | "drain", listener: () => void): unknown
}

/** A middleware of Express and Nest, and a request listener of `node:http`. */
export type NodeHandler = (request: NodeRequest, response: NodeResponse, next?: (error?: unknown) => void) => void

/** A function from a request to its response, for Deno, Bun and Workers. */
// oxlint-disable-next-line typescript/no-explicit-any -- What the runtime gives besides the request.
export type FetchHandler = (request: Request, ...source: Array<any>) => Promise<Response>

/** The handlers of a route of the app router of Next. */
export interface RouteHandlers {
  readonly GET: FetchHandler
  readonly HEAD: FetchHandler
  readonly OPTIONS: FetchHandler
  readonly POST: FetchHandler
  readonly PUT: FetchHandler
  readonly PATCH: FetchHandler
  readonly DELETE: FetchHandler
}

/** The context of a request in Hono, as far as the handler uses it. */
export interface HonoContext {
  readonly req: { readonly raw: Request; arrayBuffer(): Promise<ArrayBuffer> }
  readonly env: unknown
}

/** An instance of Fastify, as far as the plugin uses it. */
export interface FastifyScope {
  readonly prefix: string
  removeAllContentTypeParsers(): unknown
  // oxlint-disable-next-line typescript/no-explicit-any -- The types of Fastify depend on its version and its server.
  addContentTypeParser(type: string, parser: (...args: Array<any>) => void): unknown
  // oxlint-disable-next-line typescript/no-explicit-any -- As above.
  route(options: { method: Array<any>; url: string; handler: (request: any, reply: any) => void }): unknown
}

/** A plugin of Fastify. */
export type FastifyPlugin = (scope: FastifyScope, options: unknown, done: () => void) => void
