import * as DateTime from "effect/DateTime"
import * as Redacted from "effect/Redacted"
import type { DatabaseUrl } from "../settings/DatabaseUrl.ts"
import type { ExternalServices } from "../settings/ExternalServices.ts"
import * as ExternalServicesText from "../settings/ExternalServicesText.ts"

/** The external services that the example requests use. */
export type Services = Pick<ExternalServices, "callProvider" | "mail">

/** Returns the start and end of a meeting at 10:00 in two days, or on the Monday after that if it is a weekend. */
const meetingTime = (now: DateTime.Utc): { readonly start: string; readonly end: string } => {
  let day = DateTime.add(now, { days: 2 })
  while ([0, 6].includes(DateTime.toPartsUtc(day).weekDay)) day = DateTime.add(day, { days: 1 })
  const date = DateTime.formatIsoDateUtc(day)
  return { start: `${date}T10:00:00`, end: `${date}T10:30:00` }
}

/** Says how long the demo key works, by the kind of the database. */
const keyLifetime: { readonly [Tag in DatabaseUrl["_tag"]]: string } = {
  File: " The same key works after a restart.",
  Memory: "",
  Postgres: " The same key works on every node, and after a restart."
}

/** Describes what the example requests cause outside of this machine: mail and calls. */
const effects = ({ callProvider, mail }: Services) => {
  const [provider, server] = [ExternalServicesText.callProvider(callProvider), ExternalServicesText.mailServer(mail)]
  return {
    booking:
      server === null
        ? "no mail server is configured, so no invitation is sent"
        : `${server} sends an invitation to customer_email`,
    calling:
      provider === null
        ? "calls are simulated, so no telephone rings"
        : `${provider} places a real call: replace phone_number with your own number`,
    report:
      provider === null
        ? "After a few seconds GET /api/v1/calls shows its transcript, recording and summary."
        : "GET /api/v1/calls shows the call and what the provider reports about it."
  }
}

/** Returns the text for a new user: the addresses, the demo key, a sign-in link, and three requests that work as they are. */
export const make = (
  url: string,
  key: Redacted.Redacted<string>,
  signInLink: string | null,
  now: DateTime.Utc,
  database: DatabaseUrl,
  services: Services
): string => {
  const authorization = `-H 'Authorization: Bearer ${Redacted.value(key)}'`
  const get = (path: string): string => `curl -sS ${authorization} '${url}${path}'`
  const post = (path: string, body: object): string =>
    `${get(path)} -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
  const { start, end } = meetingTime(now)
  const { booking, calling, report } = effects(services)
  return `
  API       ${url}/api/v1
  Docs      ${url}/docs
  Demo key  ${Redacted.value(key)}${
    signInLink === null
      ? ""
      : `
  Dashboard ${signInLink}
            This link signs in once, within a day.`
  }

Three requests to copy:

1. List the agents

${get("/api/v1/agents")}

2. Book a meeting; ${booking}

${post("/api/v1/calendar/events/create", {
  title: "Demo",
  start_time: start,
  end_time: end,
  customer_name: "Jo Miller",
  customer_email: "jo@example.com"
})}

3. Place a call; ${calling}

${post("/api/v1/calls", {
  phone_number: "+12025550111",
  agent_id: "asst_ada",
  variables: { topic: "the demo" }
})}

${report}${keyLifetime[database._tag]}
`
}
