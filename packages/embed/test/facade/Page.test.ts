import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { withFrontdesk } from "../opened.ts"
import { methodsOf } from "../samples.ts"

const page = readFileSync(new URL("../../../../docs/embedding.md", import.meta.url), "utf8")

/** The methods in the tables of the page, such as `contacts.create`. */
const shown = [...page.matchAll(/^\| `(\w+)` +\| ((?:`\w+`(?:, )?)+) +\|$/gm)].flatMap(([, service, methods = ""]) =>
  [...methods.matchAll(/`(\w+)`/g)].map(([, method]) => `${service}.${method}`)
)

it("docs/embedding.md lists every method of every service", () =>
  withFrontdesk(async (frontdesk) => {
    const { accounts, calendarConnections, outbox, webhookOperations } = frontdesk
    const all = methodsOf(frontdesk.as("acme"), { accounts, calendarConnections, outbox, webhookOperations })
    expect(shown.toSorted()).toEqual([...all.keys()].toSorted())
  }))
