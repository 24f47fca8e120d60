import { fastify, type FastifyReply, type FastifyRequest } from "fastify"
import * as Access from "./Access.ts"
import * as Schemas from "./Schemas.ts"

declare module "fastify" {
  interface FastifyRequest {
    caller: Access.Caller | null
  }
}

/** The limit of requests of each API key, which is counted and never reached. */
export const limit = { requests: 999_999_999, seconds: 60 }

/** Makes a Fastify application without routes. */
export const make = () => {
  const app = fastify({
    logger: false,
    bodyLimit: 1_048_576,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: true, formats: Schemas.formats } }
  })
  app.decorateRequest("caller", null)
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof Access.Refused)
      return reply.code(error.statusCode).send({ error: error.code, message: error.message })
    const isInvalid = typeof error === "object" && error !== null && "validation" in error
    return isInvalid
      ? reply.code(400).send({ error: "validation_error", message: "Some fields are not valid" })
      : reply.code(500).send({ error: "server_error", message: "Something went wrong on our side" })
  })
  return app
}

const requestIdForm = /^[A-Za-z0-9._-]{1,128}$/
const prefix = Math.random().toString(36).slice(2)
let count = 0

const requestId = (sent: unknown): string =>
  typeof sent === "string" && requestIdForm.test(sent) ? sent : `${prefix}.${(++count).toString(36)}`

/** Sets the headers that every answer has. */
export const begin = (request: FastifyRequest, reply: FastifyReply): void => {
  reply.header("x-request-id", requestId(request.headers["x-request-id"])).header("cache-control", "no-store")
}

/** Refuses a caller without the permission. */
export const requirePermission = (caller: Access.Caller, permission: string): void => {
  if (!caller.permissions.includes(permission)) {
    throw new Access.Refused(403, "permission_denied", `The API key lacks the permission ${permission}`)
  }
}

/** Returns the caller that was authenticated. */
export const callerOf = ({ caller }: FastifyRequest): Access.Caller => {
  if (caller === null) throw new Error("The request has no caller.")
  return caller
}

/** Removes the fields of a body that are null, because null counts as absent in a create. */
const withoutNulls = (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
  const { body } = request
  if (typeof body === "object" && body !== null && Object.values(body).includes(null)) {
    request.body = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
  }
  done()
}

/** The two routes: their paths, permissions and schemas. */
export const routes = {
  read: {
    path: "/api/v1/calendar/events/:event_id",
    permission: "can_read_calendar",
    options: { schema: { params: Schemas.eventParams, response: { 200: Schemas.event } } }
  },
  create: {
    path: "/api/v1/calendar/events/create",
    permission: "can_write_calendar",
    options: {
      preValidation: withoutNulls,
      schema: { body: Schemas.newEvent, response: { 201: Schemas.eventWritten } }
    }
  }
} as const
