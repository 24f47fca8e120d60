import { LazyFrontdesk } from "@frontdesk/embed"

// `next build` loads the routes too, so Frontdesk is opened by the first request.
export const frontdesk = new LazyFrontdesk({
  storage: { postgres: { url: process.env["DATABASE_URL"] ?? "postgres://localhost/acme", schema: "voice" } }
})
