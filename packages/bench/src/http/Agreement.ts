import { DatabaseSync } from "node:sqlite"
import type { Requests } from "./Requests.ts"

/** A server and its database. */
export interface Party {
  readonly name: string
  readonly port: number
  readonly filename: string
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

const tables = ["calendar_event", "reminder", "webhook_event", "webhook_delivery"]

const lastRowsOf = ({ filename }: Party): string => {
  const database = new DatabaseSync(filename, { readOnly: true })
  try {
    return tables
      .flatMap((table) => database.prepare(`SELECT * FROM ${table} ORDER BY rowid DESC LIMIT 1`).all())
      .map((row) =>
        JSON.stringify(row, (_, value: unknown) =>
          value instanceof Uint8Array ? Buffer.from(value).toString() : value
        )
      )
      .join("\n")
  } finally {
    database.close()
  }
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
