// The same API inside another framework: a plain function from Request to Response, mounted in a Hono application.
import { FrontdeskHttp } from "@frontdesk/http"
import { Hono } from "hono"
import * as Services from "./Services.ts"

/** A Hono application with a page of its own and the API beside it. `dispose` closes the database. */
export const makeApplication = (filename: string) => {
  const { handler, dispose } = FrontdeskHttp.toWebHandler(Services.layer(filename))
  const application = new Hono()
  application.get("/", (context) => context.text("Welcome to the clinic"))
  application.all("/api/*", (context) => handler(context.req.raw))
  return { application, dispose }
}
