import { isObject } from "../Fake.ts"

/** The organization of every resource. */
export const orgId = "00000000-0000-4000-8000-000000000000"

/** The server to which Vapi sends messages (docs.vapi.ai, `Server`). */
export interface FakeServer {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly credentialId?: string
}

/** A phone number of the organization. It has a server, or an assistant that answers all its calls. */
export interface FakeNumber {
  readonly id: string
  readonly number: string
  readonly server?: FakeServer
  readonly assistantId?: string
}

/** The phone numbers that the organization has. */
export interface PhoneNumbers {
  readonly byId: (id: string) => FakeNumber | undefined
  readonly byNumber: (number: string) => FakeNumber | undefined
  /** Adds a number. It replaces the one with the same id and the one with the same number. */
  readonly set: (number: FakeNumber) => void
}

/** Makes an organization without phone numbers. */
export const make = (): PhoneNumbers => {
  let all: ReadonlyArray<FakeNumber> = []
  return {
    byId: (id) => all.find((each) => each.id === id),
    byNumber: (number) => all.find((each) => each.number === number),
    set: (number) => {
      all = [...all.filter((each) => each.id !== number.id && each.number !== number.number), number]
    }
  }
}

/** Returns whether a value is a phone number in the E.164 format. */
export const isE164 = (value: unknown): value is string => typeof value === "string" && /^\+[1-9]\d{6,14}$/.test(value)

const isText = (value: unknown): value is string => typeof value === "string" && value !== ""

const isTextOrAbsent = (value: unknown): value is string | undefined => value === undefined || isText(value)

const serverOf = (given: unknown): FakeServer | string => {
  if (!isObject(given)) return "server must be an object with url"
  const { credentialId, headers = {}, secret, url } = given
  if (typeof url !== "string" || !/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
    return "server.url must be an http or https URL"
  }
  if (!isTextOrAbsent(secret)) return "server.secret must be a text that is not empty, or be absent"
  if (!isTextOrAbsent(credentialId)) return "server.credentialId must be a text that is not empty, or be absent"
  if (!isObject(headers)) return "server.headers must be an object of texts"
  const named = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
  return {
    url,
    // Vapi sends the secret of a server in this header.
    headers: { ...Object.fromEntries(named), ...(secret !== undefined && { "X-Vapi-Secret": secret }) },
    ...(credentialId !== undefined && { credentialId })
  }
}

/** Returns the number that a request describes, or what is wrong with the request. */
export const parse = (input: Readonly<Record<string, unknown>>, defaultId: string): FakeNumber | string => {
  const { assistantId, id = defaultId, number } = input
  if (!isE164(number)) return "number must be a phone number in the E.164 format, such as +12025550100"
  if (!isText(id)) return "id must be a text that is not empty, or be absent"
  if (!isTextOrAbsent(assistantId)) return "assistantId must be a text that is not empty, or be absent"
  const server = input["server"] === undefined ? undefined : serverOf(input["server"])
  if (typeof server === "string") return server
  if (server === undefined && assistantId === undefined) {
    return "server or assistantId is missing, so no assistant would answer. Give at least one of them"
  }
  return { id, number, ...(server !== undefined && { server }), ...(assistantId !== undefined && { assistantId }) }
}

/** Returns the PhoneNumber resource of a number. The headers of its server are left out, because they contain a secret. */
export const numberResource = ({ assistantId, id, number, server }: FakeNumber) => ({
  id,
  orgId,
  provider: "twilio" as const,
  number,
  status: "active" as const,
  twilioAccountSid: `AC${"0".repeat(32)}`,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  ...(assistantId !== undefined && { assistantId }),
  ...(server !== undefined && { server: { url: server.url } })
})
