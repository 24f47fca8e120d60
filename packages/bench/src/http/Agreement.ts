import type { Requests } from "./Requests.ts"

/** A server, and how its database is read. */
export interface Party {
  readonly name: string
  readonly port: number
  /** Returns the row of a table that a column orders last. */
  readonly lastRow: (table: string, column: string) => Promise<object | undefined>
}

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const signature = /signature=[\w-]+/g

/**
 * Returns a text without the parts that differ in every run: random ids, signatures over them, and the present time.
 */
const withoutChance = (text: string, now: RegExp): string =>
  text.replaceAll(uuid, "UUID").replaceAll(signature, "signature").replaceAll(now, "NOW")

const answerOf = async (party: Party, { bodyOf, headers, path }: Requests["samples"][number]): Promise<string> => {
  const answer = await fetch(`http://127.0.0.1:${party.port}${path}`, {
    headers,
    ...(bodyOf === undefined ? {} : { method: "POST", body: bodyOf })
  })
  return `${answer.status} ${await answer.text()}`
}

/** The tables to which a new calendar event writes, and the column that orders their rows. */
const tables = { calendar_event: "id", reminder: "event_id", webhook_event: "id", webhook_delivery: "id" }

const textOf = (value: unknown): unknown => (value instanceof Uint8Array ? Buffer.from(value).toString() : value)

const lastRowsOf = async ({ lastRow }: Party): Promise<string> => {
  const rows: Array<string> = []
  for (const [table, column] of Object.entries(tables)) {
    const row = Object.entries((await lastRow(table, column)) ?? {})
    rows.push(JSON.stringify(row.map(([name, value]) => [name, textOf(value)])))
  }
  return rows.join("\n")
}

/**
 * Throws unless the servers answer the requests with the same bytes and have the same last rows: a calendar event, its
 * reminder, its webhook event and its delivery.
 */
export const check = async (parties: ReadonlyArray<Party>, requests: Requests): Promise<void> => {
  const hour = new Date().toISOString().slice(0, 14)
  const now = new RegExp(`${hour}[\\d:.]+Z|${String(Date.now()).slice(0, 7)}\\d{6}`, "g")
  const compare = async (what: string, ask: (party: Party) => string | Promise<string>): Promise<void> => {
    const heard: Array<string> = []
    for (const party of parties) heard.push(withoutChance(await ask(party), now))
    const other = heard.findIndex((one) => one !== heard[0])
    if (other !== -1) {
      throw new Error(`${what}\n${parties[0]?.name}: ${heard[0]}\n${parties[other]?.name}: ${heard[other]}`)
    }
  }
  for (const sample of requests.samples) {
    await compare(`The answers to ${sample.path} differ.`, (party) => answerOf(party, sample))
  }
  await compare("The rows that were written differ.", lastRowsOf)
}
