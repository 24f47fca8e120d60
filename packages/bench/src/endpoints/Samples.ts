import type { Fixture } from "../http/Fixture.ts"

/** A request to an endpoint. */
export interface Sample {
  readonly name: string
  readonly method: "GET" | "POST" | "PATCH" | "PUT"
  readonly path: string
  readonly body?: object
}

const v1 = "/api/v1"

const idOf = (answer: unknown): number => {
  if (typeof answer === "object" && answer !== null && "id" in answer && typeof answer.id === "number") return answer.id
  throw new TypeError(`The answer has no id: ${JSON.stringify(answer)}`)
}

/** Creates what the requests read, and returns a request to each endpoint that answers repeatedly with the same. */
export const make = async (
  { agentId }: Fixture,
  ask: (method: string, path: string, body: object) => Promise<unknown>
): Promise<ReadonlyArray<Sample>> => {
  const contacts: Array<number> = []
  for (let n = 0; n < 30; n++) {
    const contact = {
      first_name: `Jo ${n}`,
      last_name: "Doe",
      email: `jo${n}@example.com`,
      phone_numbers: [{ phone_number: `+1202555${String(100 + n).padStart(4, "0")}` }],
      custom_context: { n }
    }
    contacts.push(idOf(await ask("POST", `${v1}/contacts/create`, contact)))
  }
  const [contact] = contacts
  const definition = { name: "plan", display_name: "Plan", variable_type: "text", context_type: "contact" }
  const variable = idOf(await ask("POST", `${v1}/context-variables/create`, definition))
  const hook = { name: "Hook", url: "https://hooks.example.com", subscribed_events: ["call.ended"] }
  const webhook = idOf(await ask("POST", `${v1}/webhooks/create`, hook))
  await ask("POST", `${v1}/context-variables/create`, { ...definition, name: "hours", context_type: "business" })
  const context = { variables: { hours: "9 to 5" } }
  const event = `${v1}/calendar/events/1`
  const days = "start_date=2031-01-06&end_date=2031-01-12"
  return [
    { name: "GET agents", method: "GET", path: `${v1}/agents` },
    { name: "GET an agent", method: "GET", path: `${v1}/agents/${agentId}` },
    { name: "GET contacts", method: "GET", path: `${v1}/contacts` },
    { name: "GET contacts, search", method: "GET", path: `${v1}/contacts?search=jo` },
    { name: "GET a contact", method: "GET", path: `${v1}/contacts/${contact}` },
    { name: "GET calendar events", method: "GET", path: `${v1}/calendar/events` },
    { name: "GET an event", method: "GET", path: event },
    { name: "GET an event's ICS", method: "GET", path: `${event}/ics` },
    { name: "GET availability", method: "GET", path: `${v1}/calendar/availability?${days}` },
    { name: "GET calls", method: "GET", path: `${v1}/calls` },
    { name: "GET variables", method: "GET", path: `${v1}/context-variables` },
    { name: "GET business context", method: "GET", path: `${v1}/business/context` },
    { name: "GET webhooks", method: "GET", path: `${v1}/webhooks` },
    { name: "GET a webhook", method: "GET", path: `${v1}/webhooks/${webhook}` },
    { name: "GET deliveries", method: "GET", path: `${v1}/webhooks/${webhook}/deliveries` },
    { name: "PATCH a contact", method: "PATCH", path: `${v1}/contacts/${contact}/update`, body: { city: "Boston" } },
    { name: "PATCH an event", method: "PATCH", path: `${event}/update`, body: { description: "Changed" } },
    {
      name: "PATCH a variable",
      method: "PATCH",
      path: `${v1}/context-variables/${variable}/update`,
      body: { display_name: "Plan of the contact" }
    },
    { name: "PATCH a webhook", method: "PATCH", path: `${v1}/webhooks/${webhook}/update`, body: { name: "Hooks" } },
    { name: "POST business context", method: "POST", path: `${v1}/business/context`, body: context }
  ]
}
