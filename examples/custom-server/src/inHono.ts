// The same API inside another framework: a function from Request to Response, mounted in a Hono application.
import { FrontdeskHttp } from "@frontdesk/http"
import { Hono } from "hono"
import * as Services from "./Services.ts"

/** Returns a Hono application with its own page and the API. `dispose` closes the database. */
export const makeApplication = (filename: string) => {
  const { handler, dispose } = FrontdeskHttp.toWebHandler(Services.layer(filename))
  const application = new Hono()
  application.get("/", (context) => context.text("Welcome to the clinic"))
  application.all("/api/*", (context) => handler(context.req.raw))
  return { application, dispose }
}
