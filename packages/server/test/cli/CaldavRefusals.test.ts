import { createServer } from "node:http"
import { beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { command } from "../support/command.ts"
import { provisionedFolder } from "../support/inProcess.ts"

/** Starts a server that answers every request with 401, and returns its URL. */
const openUnauthorized = async (): Promise<string> => {
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(401).end())
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`
}

describe("frontdesk calendars connect with CalDAV", () => {
  let folder: string
  beforeEach(async () => {
    folder = await provisionedFolder()
  })

  const settings: Record<string, string> = {}
  beforeEach(() => {
    settings["FRONTDESK_CALDAV_PRIVATE_HOSTS"] = "127.0.0.1"
  })

  const connect = (...more: ReadonlyArray<string>) =>
    command(folder, ["calendars", "connect", "-a", "acme", "-p", "apple", "--username", "jo", ...more], {
      FRONTDESK_CALENDAR_SECRET: "hunter2",
      ...settings
    })

  it("names the flag and the variable to correct when the server answers 401, and prints no password", async () => {
    const url = await openUnauthorized()
    for (const where of [
      ["--url", url],
      ["--calendar", url]
    ]) {
      const { code, stderr } = await connect(...where)
      expect(code).toBe(1)
      expect(stderr).toMatch(/unauthorized: .*401; see --username, and FRONTDESK_CALENDAR_SECRET$/)
      expect(stderr).not.toContain("hunter2")
    }
  })

  it("names the setting that allows the host of a server without a public address", async () => {
    settings["FRONTDESK_CALDAV_PRIVATE_HOSTS"] = "none"
    const { code, stderr } = await connect("--url", await openUnauthorized())
    expect(code).toBe(1)
    expect(stderr).toMatch(/its address is not public: allow its host with FRONTDESK_CALDAV_PRIVATE_HOSTS$/)
  })

  it("exits with 2 when --calendar is not a URL, and explains how to list the calendars", async () => {
    const { code, stderr } = await connect("--calendar", "work")
    expect(code).toBe(2)
    expect(stderr).toContain("--calendar must be a URL. Run the command without --calendar to list the calendars")
  })
})
