import { once } from "node:events"
import { createServer } from "node:http"
import process from "node:process"
import type * as Child from "../http/Child.ts"
import * as Provision from "../Provision.ts"

/** A conversation of a voice agent with a person on the telephone. It has an API key of its own. */
export interface Conversation {
  /** The number of the account, from 0. */
  readonly account: number
  readonly key: string
  readonly phoneNumber: string
  /** The id of its running call. */
  readonly callId: string
}

/** A conversation whose call has not begun. */
type Planned = Omit<Conversation, "callId">

/** Returns conversations of a number of accounts, in an order in which neighbours belong to different accounts. */
export const conversationsOf = (accounts: number, count: number): ReadonlyArray<Planned> =>
  Array.from({ length: count }, (_, index) => ({
    account: index % accounts,
    key: `fd_test_tools_${String(index).padStart(32, "0")}`,
    phoneNumber: `+1202555${1_000 + index}`
  }))

const assistantOf = (account: number): string => `asst_${account}`

const documentOf = (conversations: ReadonlyArray<Planned>) => ({
  accounts: [...Map.groupBy(conversations, ({ account }) => account)].map(([account, members]) => ({
    ref: `account${account}`,
    name: `Account ${account}`,
    balance: 1_000,
    max_running_calls: members.length,
    agents: [
      {
        ref: assistantOf(account),
        name: "Ada",
        role: "outbound agent",
        assistant_id: assistantOf(account),
        phone_number: `+1202555${2_000 + account}`
      }
    ],
    contacts: members.map(({ key, phoneNumber }) => ({
      ref: key,
      first_name: "Jo",
      phone_numbers: [{ phone_number: phoneNumber, primary: true }]
    })),
    api_keys: members.map(({ key }) => ({ ref: key, name: key, permissions: ["*"], key }))
  }))
})

/** Creates the accounts with a key for each conversation in an empty database. */
export const provision = (
  folder: string,
  databaseUrl: string,
  conversations: ReadonlyArray<Planned>
): Promise<void> => {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("FRONTDESK_"))
  return Provision.run(
    folder,
    { ...Object.fromEntries(inherited), FRONTDESK_DATABASE_URL: databaseUrl },
    documentOf(conversations)
  )
}

const dayMillis = 86_400_000

/** Returns the date of a working day as text. Day 0 is the first Monday that is at least a week away. */
export const workday = (day: number): string => {
  const weekAhead = Math.floor(Date.now() / dayMillis) + 7
  // Day 4 of the Unix epoch was a Monday.
  const monday = weekAhead + ((4 - (weekAhead % 7) + 7) % 7)
  return new Date((monday + Math.floor(day / 5) * 7 + (day % 5)) * dayMillis).toISOString().slice(0, 10)
}

/** Returns the bytes of a request, in a call if its id is given. */
export const message = (key: string, method: string, path: string, body?: object, callId?: string): string => {
  const sent = body === undefined ? "" : JSON.stringify(body)
  const content =
    body === undefined ? [] : ["content-type: application/json", `content-length: ${Buffer.byteLength(sent)}`]
  const call = callId === undefined ? [] : [`x-call-id: ${callId}`]
  const head = [`${method} ${path} HTTP/1.1`, "host: 127.0.0.1", `authorization: Bearer ${key}`, ...call, ...content]
  return `${head.join("\r\n")}\r\n\r\n${sent}`
}

/** A receiver of webhooks that accepts everything. */
export interface Receiver {
  readonly url: string
  readonly close: () => void
}

/** Starts a receiver in this process, which only waits during a measurement. */
export const receive = async (): Promise<Receiver> => {
  const server = createServer((request, response) => {
    request.resume()
    request.once("end", () => response.end())
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

/** Fills each account with a webhook and with two calendar events on each working day. */
export const fill = async (
  load: Child.Load,
  server: Child.Server,
  conversations: ReadonlyArray<Planned>,
  { url }: Receiver,
  workdays: number
): Promise<void> => {
  const owners = [...Map.groupBy(conversations, ({ account }) => account).values()].flatMap(([first = []]) => first)
  const webhook = { name: "Calendar", url, subscribed_events: ["calendar.created", "calendar.updated"] }
  const create = "/api/v1/calendar/events/create"
  const created = (day: number, hour: string) => ({
    title: "Consultation",
    start_time: `${workday(day)}T${hour}:00:00Z`,
    end_time: `${workday(day)}T${hour}:30:00Z`
  })
  const days = Array.from({ length: workdays }, (_, day) => day)
  await load.measure(server, {
    connections: owners.length,
    millis: 0,
    isOnce: true,
    expectedStatus: 201,
    requests: [
      ...owners.map(({ key }) => message(key, "POST", "/api/v1/api/webhooks/create", webhook)),
      ...days.flatMap((day) =>
        ["11", "14"].flatMap((hour) => owners.map(({ key }) => message(key, "POST", create, created(day, hour))))
      )
    ]
  })
}

/** Starts the call of each conversation. */
export const startCalls = (
  { port }: Child.Server,
  conversations: ReadonlyArray<Planned>
): Promise<ReadonlyArray<Conversation>> =>
  Promise.all(
    conversations.map(async (conversation) => {
      const { account, key, phoneNumber } = conversation
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/calls`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ phone_number: phoneNumber, agent_id: assistantOf(account) })
      })
      const text = await answer.text()
      const [, callId] = /"call_id":"([^"]+)"/.exec(text) ?? []
      if (callId === undefined) throw new Error(`A call was answered with ${text}`)
      return { ...conversation, callId }
    })
  )
