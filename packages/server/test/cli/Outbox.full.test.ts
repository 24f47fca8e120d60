import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as MailServer from "@frontdesk/provider-fakes/mail/MailServer"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import { describe, expect, it, onTestFinished } from "vitest"
import { acmeAndOther, ask } from "../support/acme.ts"
import { command, commandJson } from "../support/command.ts"
import { provisionedFolder, type Server, serve } from "../support/inProcess.ts"
import { anyText, containing } from "../support/matching.ts"

const tasksOf = Schema.decodeUnknownSync(
  Schema.Struct({ count: Schema.Int, tasks: Schema.Array(Schema.Struct({ id: Schema.Int })) })
)

const book = async ({ url }: Server, email: string): Promise<void> => {
  const answer = await ask(url, "/api/v1/calendar/events/create", {
    title: "x",
    start_time: "2101-01-01T10:00:00",
    end_time: "2101-01-01T11:00:00",
    customer_email: email
  })
  expect(answer.status).toBe(201)
}

describe("frontdesk outbox", () => {
  it("lists mails that failed because of a wrong password, and retries one of them and then all", async () => {
    const mailAccount = { password: "new" }
    const mail = await MailServer.open({
      allowInsecureAuth: true,
      disabledCommands: ["STARTTLS"],
      onAuth: ({ password, username }, _session, done) =>
        done(password === mailAccount.password ? null : new Error("expired"), { user: username })
    })
    onTestFinished(() => mail[Symbol.asyncDispose]())
    const folder = await provisionedFolder(acmeAndOther)
    const server = await serve(folder, {
      outboxPoll: Duration.millis(200),
      settings: {
        FRONTDESK_MAIL_URL: `smtp://desk:old@127.0.0.1:${mail.port}`,
        FRONTDESK_MAIL_FROM: "desk@example.com",
        FRONTDESK_MAIL_ALLOW_INSECURE: "true"
      }
    })
    await server.wrote("stderr", /Mail cannot be sent with these settings: .*frontdesk outbox retry-all --kind mail/)
    const customers = ["ann@example.com", "bob@example.com", "cem@example.com"]
    for (const email of customers) await book(server, email)
    await server.wrote("stderr", /A task of the outbox is dead-lettered; .*frontdesk outbox retry/)
    const list = (...args: ReadonlyArray<string>) => commandJson(folder, ["outbox", "list", "--json", ...args])
    await expect.poll(async () => tasksOf(await list()).count, { timeout: 20_000 }).toBe(3)

    const page = await list("--account", "acme", "--kind", "mail", "--limit", "1", "--page", "3")
    expect(page).toEqual({
      count: 3,
      page: 3,
      limit: 1,
      pages: 3,
      tasks: [
        {
          id: 1,
          kind: "mail",
          mail: "created",
          provider: null,
          event_id: 1,
          account_id: 1,
          account_ref: "acme",
          attempts: 1,
          reason: "mail: unauthorized",
          abandoned_at: anyText
        }
      ]
    })
    expect(await list("--account", "other")).toMatchObject({ count: 0, pages: 0, tasks: [] })
    expect(await list("--kind", "calendar")).toMatchObject({ count: 0, pages: 0, tasks: [] })
    const table = await command(folder, ["outbox", "list"])
    expect(table).toMatchObject({ code: 0, stderr: "" })
    expect(table.stdout).toMatch(/^\d+ +1 +acme +1 +mail created +1 +mail: unauthorized +\d{4}-\S+Z$/m)
    expect(table.stdout).toContain("Page 1 of 1; tasks in total: 3")
    expect(table.stdout + JSON.stringify(page)).not.toMatch(/example\.com/)

    mailAccount.password = "old"
    const first = String(tasksOf(page).tasks[0]?.id)
    expect(await command(folder, ["outbox", "retry", first])).toEqual({
      code: 0,
      stdout: `Task ${first} is due again, as a new task`,
      stderr: ""
    })
    const sentTo = () => mail.arrivals.map(({ to }) => to.join()).toSorted()
    await expect.poll(sentTo, { timeout: 20_000 }).toEqual(["ann@example.com"])
    expect(await command(folder, ["outbox", "retry", first])).toMatchObject({
      code: 1,
      stderr: containing(`There is no dead-lettered task ${first}`)
    })
    expect(await commandJson(folder, ["outbox", "retry-all", "--account", "other", "--json"])).toEqual({ retried: 0 })
    expect(await commandJson(folder, ["outbox", "retry-all", "--kind", "calendar", "--json"])).toEqual({ retried: 0 })
    expect(await command(folder, ["outbox", "retry-all", "--account", "acme", "--kind", "mail"])).toEqual({
      code: 0,
      stdout: "Tasks that are due again: 2",
      stderr: ""
    })
    await expect.poll(sentTo, { timeout: 20_000 }).toEqual(customers)
    expect((await command(folder, ["outbox", "list"])).stdout).toBe("There are no such tasks")
    await server.stop()
    expect(sentTo()).toEqual(customers)
  })

  it("lists dead-lettered tasks even if their stored work cannot be read, and retries them with the same bytes", async () => {
    const folder = await provisionedFolder(acmeAndOther)
    const works = ['{"_tag":"SyncEvent","provider":"google","eventId":7}', '{"_tag":"Notify"}', "{"]
    const database = new DatabaseSync(join(folder, "data/frontdesk.db"))
    const add = database.prepare(
      "INSERT INTO outbox_task (account_id, due_at, error, tag, event_id, work) VALUES (1, 0, 'unreadable', 'SyncEvent', 7, ?)"
    )
    for (const work of works) add.run(work)

    const unreadable = { kind: null, mail: null, provider: null, event_id: 7, reason: "unreadable" }
    expect(await commandJson(folder, ["outbox", "list", "--kind", "calendar", "--json"])).toMatchObject({
      tasks: [unreadable, unreadable, { ...unreadable, kind: "calendar", provider: "google" }]
    })
    const table = await command(folder, ["outbox", "list"])
    expect(table).toMatchObject({ code: 0, stderr: "" })
    expect(table.stdout).toMatch(/^3 +1 +acme +7 +0 +unreadable +1970-\S+Z$/m)
    expect(await commandJson(folder, ["outbox", "retry", "3", "--json"])).toEqual({ task: 3, retried: 1 })
    expect(await commandJson(folder, ["outbox", "retry-all", "--json"])).toEqual({ retried: 2 })
    const retried = database.prepare("SELECT work FROM outbox_task WHERE error IS NULL").all()
    expect(new Set(retried.map((row) => row["work"]))).toEqual(new Set(works))
    expect(retried).toHaveLength(works.length)
    database.close()
  })

  it.each([
    [1, "There is no dead-lettered task 7. It may have been retried already, or be older than 30 days", "retry 7"],
    [1, 'There is no account "unknown"', "list --account unknown"],
    [1, 'There is no account "unknown"', "retry-all --account unknown"],
    [2, "one of mail, calendar", "retry-all --kind fax"],
    [2, "a whole number above 0", "retry x"],
    [2, "a whole number above 0", "list --page 0"],
    [2, "a whole number from 1 to 100", "list --limit 101"]
  ])("exits with %i and the message: %s", async (code, message, args) => {
    const end = await command(await provisionedFolder(acmeAndOther), ["outbox", ...args.split(" ")])
    expect(end).toEqual({ code, stdout: "", stderr: containing(message) })
    expect(end.stderr).not.toContain("    at ")
  })
})
