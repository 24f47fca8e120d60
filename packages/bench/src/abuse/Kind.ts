/** A request of an attacker. */
export interface AttackRequest {
  readonly method: "GET" | "POST" | "PATCH"
  readonly path: string
  readonly body?: string
  /** Whether the request is sent without an API key. */
  readonly isAnonymous?: boolean
}

/** A kind of attack. Each of its connections sends the next request as soon as the last one is answered. */
export interface Kind {
  readonly name: string
  readonly connections: number
  /** The requests that are sent first, one after the other. */
  readonly preparation: ReadonlyArray<AttackRequest>
  /** The requests that are sent in turn. */
  readonly requests: ReadonlyArray<AttackRequest>
}

const contactCount = 100

const phoneNumbers = Array.from({ length: 25_000 }, (_, index) => ({
  phone_number: `+1202${String(index).padStart(7, "0")}`
}))

/** The attacks, in the order in which they run. */
export const kinds: ReadonlyArray<Kind> = [
  {
    name: "API load",
    connections: 200,
    preparation: [],
    requests: [
      {
        method: "POST",
        path: "/api/v1/calendar/events/create",
        body: JSON.stringify({ title: "x", start_time: "2031-01-01T10:00:00Z", end_time: "2031-01-01T10:30:00Z" })
      },
      { method: "GET", path: "/api/v1/calendar/events?limit=20" }
    ]
  },
  {
    name: "stored bytes",
    connections: 24,
    preparation: Array.from({ length: contactCount }, (_, index) => ({
      method: "POST",
      path: "/api/v1/contacts/create",
      body: JSON.stringify({ first_name: `Contact ${index}`, custom_context: { text: "x".repeat(60_000) } })
    })),
    requests: [
      { method: "GET", path: "/api/v1/contacts?limit=100" },
      {
        method: "PATCH",
        path: "/api/v1/contacts/1/update",
        body: JSON.stringify({ custom_context: { [`key_${"y".repeat(60_000)}`]: 1 } })
      },
      {
        method: "POST",
        path: "/api/v1/contacts/create",
        body: JSON.stringify({ industry_context: { text: "z".repeat(60_000) } })
      }
    ]
  },
  {
    name: "work before a check",
    connections: 24,
    preparation: [],
    requests: [
      {
        method: "POST",
        path: "/api/v1/contacts/create",
        body: JSON.stringify({ phone_numbers: phoneNumbers })
      },
      {
        method: "GET",
        path: "/api/v1/calendar/availability?start_date=2031-01-06&end_date=2031-01-18&duration=1&limit=5000"
      }
    ]
  },
  {
    name: "documentation",
    connections: 500,
    preparation: [],
    requests: [
      { method: "GET", path: "/docs", isAnonymous: true },
      { method: "GET", path: "/openapi.json", isAnonymous: true }
    ]
  }
]
