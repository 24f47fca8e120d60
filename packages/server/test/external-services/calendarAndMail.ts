import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as CaldavServer from "@frontdesk/provider-fakes/caldav/CaldavServer"
import * as MailServer from "@frontdesk/provider-fakes/mail/MailServer"
import { calendar, files, read } from "@frontdesk/provider-fakes/mail/Reading"
import * as Schema from "effect/Schema"
import { expect, onTestFinished } from "vitest"
import { acme, acmeKey, ask } from "../support/acme.ts"
import { command } from "../support/command.ts"
import { run, serve, type Server } from "../support/inProcess.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"

/** How long a test polls for an effect in an external service. A failed task is retried after ten seconds. */
export const pollOptions = { timeout: 90_000 }

/** Returns the opened resource, which closes after the test. */
const opened = async <A extends AsyncDisposable>(opening: Promise<A>): Promise<A> => {
  const resource = await opening
  onTestFinished(() => resource[Symbol.asyncDispose]())
  return resource
}

/** An invitation, an update or a cancellation, as it arrived by mail. */
export interface Invitation {
  readonly subject: string | undefined
  readonly method: string
  readonly uid: string
  readonly sequence: number
  readonly start: string
  readonly end: string
  readonly attendee: string
}

/** The error codes that the mail server answers for a recipient, one for each attempt. It accepts later attempts. */
type Refusals = Readonly<Record<string, ReadonlyArray<number>>>

/** Starts a mail server without TLS and logins. */
const openMail = async (refusals: Refusals) => {
  const left = new Map(Object.entries(refusals).map(([address, codes]) => [address, [...codes]]))
  const asked: Array<string> = []
  const { arrivals, port } = await opened(
    MailServer.open({
      disabledCommands: ["AUTH", "STARTTLS"],
      onRcptTo: ({ address }, _session, done) => {
        asked.push(address)
        const code = left.get(address)?.shift()
        done(code === undefined ? null : Object.assign(new Error("the mail is rejected"), { responseCode: code }))
      }
    })
  )
  const invitations = (address: string): Promise<ReadonlyArray<Invitation>> =>
    Promise.all(
      arrivals
        .filter(({ to }) => to.includes(address))
        .map(async ({ bytes }) => {
          const mail = await read(bytes)
          const { method, value } = calendar(files(mail)[0] ?? "")
          return {
            subject: mail.subject,
            method,
            uid: value("uid"),
            sequence: Number(value("sequence")),
            start: value("dtstart"),
            end: value("dtend"),
            attendee: value("attendee")
          }
        })
    )
  return {
    port,
    invitations,
    /** Returns how many attempts there were to send a mail to an address. */
    attempts: (address: string) => asked.filter((one) => one === address).length
  }
}

/** Reads an event from the CalDAV server as another program would. Returns null if there is none. */
const readEvent = async ({ calendar: collection }: CaldavServer.Server, uuid: string) => {
  const answer = await CaldavServer.request("GET", `${collection}${uuid}.ics`)
  if (answer.status === 404) return null
  const { value } = calendar(await answer.text())
  return { title: value("summary"), start: value("dtstart"), end: value("dtend"), status: value("status") }
}

const made = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.Int, uuid: Schema.String }))

/** Returns a client of the API that acts for the account. */
const apiClient = ({ url }: Server) => ({
  book: async (event: Readonly<Record<string, unknown>>) => {
    const answer = await ask(url, "/api/v1/calendar/events/create", event)
    expect(answer.status).toBe(201)
    return made(await answer.json())
  },
  move: async (id: number, times: { readonly start_time: string; readonly end_time: string }) => {
    const answer = await fetch(`${url}/api/v1/calendar/events/${id}/update`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${acmeKey}`, "content-type": "application/json" },
      body: JSON.stringify(times)
    })
    expect(answer.status).toBe(200)
  },
  cancel: async (id: number) => {
    const answer = await ask(url, `/api/v1/calendar/events/${id}/cancel`, {})
    expect([answer.status, await answer.json()]).toMatchObject([200, { id, status: "cancelled" }])
  },
  /** Returns the free slots of some days, or the error. */
  slots: async (startDate: string, endDate: string): Promise<Slots> => {
    const query = `start_date=${startDate}&end_date=${endDate}&duration=60`
    const answer = await ask(url, `/api/v1/calendar/availability?${query}`)
    return { status: answer.status, ...decodeSlots(await answer.json()) }
  }
})

const Answer = Schema.Struct({
  error: Schema.optionalKey(Schema.String),
  available_slots: Schema.optionalKey(Schema.Array(Schema.Struct({ start: Schema.String })))
})

const decodeSlots = Schema.decodeUnknownSync(Answer)

type Slots = { readonly status: number } & typeof Answer.Type

/** Starts a CalDAV server, a mail server, and a Frontdesk server that uses both, set up with the operator's commands. */
export const openServices = async (
  options: { readonly refusals?: Refusals; readonly settings?: Readonly<Record<string, string>> } = {}
) => {
  const caldav = await opened(CaldavServer.open(CaldavServer.radicale))
  const mail = await openMail(options.refusals ?? {})
  const settings = {
    FRONTDESK_MAIL_URL: `smtp://127.0.0.1:${mail.port}`,
    FRONTDESK_MAIL_FROM: "Front desk <desk@example.com>",
    FRONTDESK_MAIL_ALLOW_INSECURE: "true",
    FRONTDESK_CALDAV_PRIVATE_HOSTS: "127.0.0.1",
    ...options.settings
  }
  const folder = temporaryFolder()
  const file = join(folder, "acme.json")
  writeFileSync(file, JSON.stringify(acme))
  await succeeding(command(folder, ["provision", file], settings))
  const { calendar, password, url, username } = caldav
  const to = ["--provider", "apple", "--username", username, "--url", url, "--calendar", calendar]
  const connect = ["calendars", "connect", "--account", "acme", ...to]
  await succeeding(command(folder, connect, { ...settings, FRONTDESK_CALENDAR_SECRET: password }))
  const server = await serve(folder, { settings })
  return {
    ...apiClient(server),
    server,
    caldav,
    mail,
    /** Runs a command of the operator while the server runs. */
    operate: (...args: ReadonlyArray<string>) => succeeding(run(folder, args, { settings })),
    shown: (uuid: string) => readEvent(caldav, uuid)
  }
}

/** Returns what a command printed. Fails when its exit code is not 0 or it printed an error. */
const succeeding = async (ending: Promise<{ readonly code: number | null; stdout: string; stderr: string }>) => {
  const end = await ending
  expect(end).toMatchObject({ code: 0, stderr: "" })
  return end.stdout
}
