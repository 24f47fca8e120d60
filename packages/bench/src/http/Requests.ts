import type { Fixture } from "./Fixture.ts"

/** The requests to the servers. */
export interface Requests {
  /** One request of each kind, to check that all servers give the same answer. */
  readonly samples: ReadonlyArray<{
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
    /** The body of a POST. Absent for a GET. */
    readonly bodyOf?: string
  }>
  /** Requests that read, as the bytes that are sent. */
  readonly reads: ReadonlyArray<string>
  /** Requests that write, as the bytes that are sent. */
  readonly writes: ReadonlyArray<string>
}

const eventPath = (key: string | number): string => `/api/v1/calendar/events/${key}`

const createPath = "/api/v1/calendar/events/create"

/** Makes the requests for a database. */
export const make = ({ agentId, apiKey, events }: Fixture): Requests => {
  const body = JSON.stringify({
    title: "Consultation",
    description: "A first talk about what there is to do",
    event_type: "appointment",
    start_time: "2031-03-01T15:00:00-05:00",
    end_time: "2031-03-01T15:45:00-05:00",
    location: "12 Main Street",
    customer_name: "Jo Doe",
    customer_email: "jo@example.com",
    customer_phone: "+12025550123",
    has_video_conference: true,
    video_conference_url: "https://meet.example.com/1",
    ai_agent_id: agentId,
    created_by_ai_agent: true,
    is_reminder_enabled: true,
    remind_before_minutes: 60
  })
  const headers = { authorization: `Bearer ${apiKey}` }
  const json = { ...headers, "content-type": "application/json" }
  const head = (method: string, path: string, headers: Readonly<Record<string, string>>): string =>
    `${[`${method} ${path} HTTP/1.1`, "host: 127.0.0.1", ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join("\r\n")}\r\n\r\n`
  return {
    samples: [
      { path: eventPath(1), headers },
      { path: eventPath(events), headers },
      { path: eventPath("00000002-0000-4000-8000-000000000000"), headers },
      { path: createPath, headers: json, bodyOf: body }
    ],
    // Spread over the rows, so that the requests read different pages of the database.
    reads: Array.from({ length: 1_000 }, (_, n) => head("GET", eventPath(1 + ((n * 7_919) % events)), headers)),
    writes: [head("POST", createPath, { ...json, "content-length": String(Buffer.byteLength(body)) }) + body]
  }
}
