import { expect } from "vitest"

/** An account of the tests. */
export interface TestAccount {
  readonly ref: string
  /** A word that is in everything that the account has, and in nothing of any other account. */
  readonly word: string
  /** An API key with all permissions. */
  readonly key: string
}

export const acme: TestAccount = { ref: "acme", word: "Heron", key: "fd_test_acme_full_0123456789abcdefghijklmnop" }

export const other: TestAccount = { ref: "other", word: "Walrus", key: "fd_test_other_full_0123456789abcdefghijklmno" }

/** A provisioning document with both accounts. */
export const document = {
  accounts: [acme, other].map(({ key, ref, word }, index) => ({
    ref,
    name: `${word} Clinic`,
    balance: 100,
    price_per_minute: 0.1,
    time_zone: "America/New_York",
    api_keys: [{ ref: `${ref}-key`, name: `${word} key`, permissions: ["*"], key }],
    agents: [
      {
        ref: `${ref}-agent`,
        name: `${word} agent`,
        role: "outbound agent",
        assistant_id: `asst_${ref}`,
        phone_number: `+1202555010${index}`
      }
    ]
  }))
}

/** Returns the fields of a JSON object. */
export const recordOf = (json: unknown): Readonly<Record<string, unknown>> =>
  typeof json === "object" && json !== null ? Object.fromEntries(Object.entries(json)) : {}

/** Makes the function that asks an API with the key of an account: a POST if there is a body, a GET otherwise. */
export const askAs =
  (api: string, { key }: TestAccount) =>
  async (
    path: string,
    body?: unknown,
    method = body === undefined ? "GET" : "POST"
  ): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await fetch(`${api}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    const json: unknown = await answer.json()
    expect([path, answer.status, json]).toEqual([path, expect.toBeOneOf([200, 201, 202]), expect.any(Object)])
    return recordOf(json)
  }

/** Creates a record of each kind, and returns the addresses of their pages below the dashboard. */
export const fill = async (api: string, account: TestAccount): Promise<ReadonlyArray<string>> => {
  const ask = askAs(api, account)
  const { word } = account
  const contact = await ask("/contacts/create", {
    first_name: word,
    email: `${word.toLowerCase()}@example.com`,
    phone_numbers: [{ phone_number: "+12025550111", primary: true }]
  })
  const event = await ask("/calendar/events/create", {
    title: `${word} visit`,
    start_time: new Date().toISOString(),
    end_time: new Date(Date.now() + 1_800_000).toISOString(),
    customer_email: `${word.toLowerCase()}@example.com`
  })
  const webhook = await ask("/api/webhooks/create", {
    name: `${word} hook`,
    url: "https://hooks.example.com/frontdesk",
    subscribed_events: ["call.failed"]
  })
  await ask("/context-variables/create", {
    name: `v_${word.toLowerCase()}`,
    display_name: `${word} variable`,
    variable_type: "text",
    context_type: "business"
  })
  await ask("/members/create", { email: `${word.toLowerCase()}@example.com`, name: `${word} member`, role: "viewer" })
  const call = await ask("/calls", {
    phone_number: "+12025550111",
    agent_id: `asst_${account.ref}`,
    variables: { topic: word }
  })
  const { agents } = await ask("/agents")
  const agent = recordOf(Array.isArray(agents) ? agents[0] : undefined)
  return [
    `/agents/${String(agent["id"])}`,
    `/contacts/${String(contact["id"])}`,
    `/calendar?event=${String(event["id"])}`,
    `/webhooks/${String(webhook["id"])}`,
    `/calls/${String(call["call_id"])}`
  ]
}

/** Creates a sign-in link for a person with a role. */
export const linkFor = async (api: string, account: TestAccount, role: string): Promise<string> => {
  const { url } = await askAs(api, account)("/dashboard/links", { role, name: `${account.word} ${role}` })
  // A server on any free port does not know its port, and answers with a path alone.
  return new URL(new URL(String(url), api).pathname, api).href
}
