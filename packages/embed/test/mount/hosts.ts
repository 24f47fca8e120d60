// oxlint-disable-next-line import/no-unassigned-import -- Nest needs it before its own modules.
import "reflect-metadata"
import type { Frontdesk, MountOptions } from "@frontdesk/embed"
import { serve } from "@hono/node-server"
import { Module } from "@nestjs/common"
import { NestFactory } from "@nestjs/core"
import { FastifyAdapter, type NestFastifyApplication } from "@nestjs/platform-fastify"
import express from "express"
import fastify from "fastify"
import { Hono } from "hono"
import { listen, type Served } from "../withServer.ts"

/** Starts a program with a framework. It serves the API below `/voice`, and answers `GET /own` itself with "own". */
export type Host = (frontdesk: Frontdesk, options: MountOptions) => Promise<Served>

const basePath = "/voice"

const withExpress =
  (...before: ReadonlyArray<express.RequestHandler>): Host =>
  (frontdesk, options) => {
    const app = express()
    for (const handler of before) app.use(handler)
    app.use(basePath, frontdesk.express({ ...options, basePath }))
    app.get("/own", (_, response) => void response.send("own"))
    return listen(app)
  }

const withExpressAtRoot: Host = (frontdesk, options) => {
  const app = express()
  app.use(frontdesk.express({ ...options, basePath }))
  app.get("/own", (_, response) => void response.send("own"))
  return listen(app)
}

const withFastify =
  (prefix: string | undefined): Host =>
  async (frontdesk, options) => {
    // A connection may still be sending a body that was too large.
    const app = fastify({ forceCloseConnections: true })
    app.get("/own", () => "own")
    await app.register(frontdesk.fastify({ ...options, basePath }), prefix === undefined ? {} : { prefix })
    return { url: await app.listen({ port: 0, host: "127.0.0.1" }), close: () => app.close() }
  }

class OwnModule {}
Module({})(OwnModule)

const own = (request: { url?: string }, response: { end: (text: string) => unknown }, next: () => void): void => {
  if (request.url === "/own") response.end("own")
  else next()
}

const withNestOnExpress: Host = async (frontdesk, options) => {
  const app = await NestFactory.create(OwnModule, { logger: false, rawBody: true })
  app.use(frontdesk.nest({ ...options, basePath }))
  app.use(own)
  await app.listen(0, "127.0.0.1")
  return { url: await app.getUrl(), close: () => app.close() }
}

const withNestOnFastify: Host = async (frontdesk, options) => {
  const app = await NestFactory.create<NestFastifyApplication>(
    OwnModule,
    new FastifyAdapter({ forceCloseConnections: true }),
    { logger: false }
  )
  app.use(frontdesk.nest({ ...options, basePath }))
  app.use(own)
  await app.listen(0, "127.0.0.1")
  return { url: await app.getUrl(), close: () => app.close() }
}

const withHono =
  (reads: boolean): Host =>
  (frontdesk, options) => {
    const app = new Hono()
    app.get("/own", (context) => context.text("own"))
    if (reads) {
      app.use(async (context, next) => {
        await context.req.text()
        await next()
      })
    }
    app.all(`${basePath}/*`, frontdesk.hono({ ...options, basePath }))
    return withFetch(app.fetch)
  }

/** Serves a handler from a `Request` to a `Response`, as Deno, Bun and Next do. */
const withFetch = (handle: (request: Request) => Response | Promise<Response>): Promise<Served> =>
  new Promise((resolve) => {
    const server = serve({ fetch: handle, port: 0, hostname: "127.0.0.1" }, ({ port }) =>
      resolve({
        url: `http://127.0.0.1:${port}`,
        close: () => new Promise((closed) => void server.close(closed))
      })
    )
  })

const orOwn =
  (handle: (request: Request) => Promise<Response>) =>
  async (request: Request): Promise<Response> =>
    new URL(request.url).pathname === "/own" ? new Response("own") : handle(request)

const withNext: Host = (frontdesk, options) => {
  const handlers = frontdesk.next({ ...options, basePath })
  const isMethod = (method: string): method is keyof typeof handlers => Object.hasOwn(handlers, method)
  return withFetch(
    orOwn((request) =>
      isMethod(request.method)
        ? handlers[request.method](request)
        : Promise.resolve(new Response(null, { status: 405 }))
    )
  )
}

const withNode: Host = (frontdesk, options) => {
  const handler = frontdesk.node({ ...options, basePath })
  return listen((request, response) => handler(request, response, () => void response.end("own")))
}

/** A program for each framework, and for each way to mount that differs. */
export const hosts = {
  "Express, before body parsers": withExpress(),
  "Express, behind body parsers": withExpress(express.json(), express.urlencoded({ extended: true })),
  "Express, behind a parser of bytes": withExpress(express.raw({ type: () => true, limit: "2mb" })),
  "Express, without a path": withExpressAtRoot,
  Fastify: withFastify(undefined),
  "Fastify, with a prefix": withFastify("/voice"),
  "Nest on Express": withNestOnExpress,
  "Nest on Fastify": withNestOnFastify,
  Hono: withHono(false),
  "Hono, behind a middleware that reads bodies": withHono(true),
  Next: withNext,
  "node:http": withNode,
  fetch: (frontdesk, options) => withFetch(orOwn(frontdesk.fetch({ ...options, basePath })))
} satisfies { readonly [name: string]: Host }
