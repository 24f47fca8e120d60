import * as DateTime from "effect/DateTime"
import * as Redacted from "effect/Redacted"
import type { DatabaseUrl } from "../settings/DatabaseUrl.ts"
import type * as Settings from "../settings/ExternalServices.ts"
import * as ExternalServicesText from "../settings/ExternalServicesText.ts"

/** What decides whether somebody is called and mailed. */
export type Outside = Pick<Settings.Outside, "callProvider" | "mail">

/** 10:00 on the next day but one that is no weekend, as the API takes it. */
const soon = (now: DateTime.Utc): { readonly start: string; readonly end: string } => {
  let day = DateTime.add(now, { days: 2 })
  while ([0, 6].includes(DateTime.toPartsUtc(day).weekDay)) day = DateTime.add(day, { days: 1 })
  const date = DateTime.formatIsoDateUtc(day)
  return { start: `${date}T10:00:00`, end: `${date}T10:30:00` }
}

/** How long the key is of use. */
const lasting: { readonly [Tag in DatabaseUrl["_tag"]]: string } = {
  File: " The same key works after a restart.",
  Memory: "",
  Postgres: " The same key works on every node, and after a restart."
}

/** What the requests do outside of this machine. */
const effects = ({ callProvider, mail }: Outside) => {
  const [by, through] = [ExternalServicesText.caller(callProvider), ExternalServicesText.mailServer(mail)]
  return {
    booking:
      through === null
        ? "no mail server is set up, so nobody is mailed"
        : `customer_email is mailed an invitation through ${through}`,
    calling:
      by === null
        ? "calls are simulated, so nobody's telephone rings"
        : `${by} is asked to place this call: give a number that may ring`,
    report:
      by === null
        ? "Its transcript, recording and summary are at /api/v1/calls a few seconds later."
        : "What is reported of it is at /api/v1/calls."
  }
}

/** What a newcomer reads: where everything is, a key, and three requests that work as they are. */
export const make = (
  url: string,
  key: Redacted.Redacted<string>,
  now: DateTime.Utc,
  database: DatabaseUrl,
  outside: Outside
): string => {
  const authorization = `-H 'Authorization: Bearer ${Redacted.value(key)}'`
  const get = (path: string): string => `curl -sS ${authorization} '${url}${path}'`
  const post = (path: string, body: object): string =>
    `${get(path)} -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
  const { start, end } = soon(now)
  const { booking, calling, report } = effects(outside)
  return `
  API       ${url}/api/v1
  Docs      ${url}/docs
  Demo key  ${Redacted.value(key)}

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

3. Call somebody; ${calling}

${post("/api/v1/calls", {
  phone_number: "+12025550111",
  agent_id: "asst_ada",
  variables: { topic: "the demo" }
})}

${report}${lasting[database._tag]}
`
}
