import { execFile } from "node:child_process"
import { rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { acme } from "./acme.ts"
import { command } from "./command.ts"
import { type End, serve, temporaryFolder } from "./frontdesk.ts"
import { freePort } from "./http.ts"

/** Pastes a line into a shell. */
const paste = (line: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    execFile("sh", ["-c", line], (error, stdout) => (error === null ? resolve(JSON.parse(stdout)) : reject(error)))
  })

const requestsOf = ({ stdout }: End): ReadonlyArray<string> =>
  stdout.split("\n").filter((line) => line.startsWith("curl "))

const keyOf = ({ stdout }: End): string | undefined => /Demo key +(\S+)/.exec(stdout)?.[1]

/** What a server with a demo printed. */
const printed = async (folder: string): Promise<End> => {
  const server = await serve(folder, { args: ["--demo"] })
  await server.said(/is ready/)
  return server.stop()
}

const answers = [
  { agents: [{ name: "Ada", can_make_calls: true }, { name: "Ben" }] },
  { uuid: expect.any(String), status: "scheduled" },
  { status: "queued", contact: { name: "Jo Miller" } }
]

describe("frontdesk serve --demo", () => {
  it("prints three requests that work as they are, again after a restart, and the same key", async () => {
    const folder = temporaryFolder()
    const args = ["--demo", "--port", String(await freePort())]

    const first = await serve(folder, { args })
    await first.said(/is ready/)
    // The text is on its way through a pipe; a new request is not needed to know that it was printed.
    const before = await first.stop()
    const requests = requestsOf(before)
    expect(requests).toHaveLength(3)

    const second = await serve(folder, { args })
    await second.said(/is ready/)
    for (const [index, request] of requests.entries()) expect(await paste(request)).toMatchObject(answers[index] ?? {})
    for (const [index, request] of requests.entries()) expect(await paste(request)).toMatchObject(answers[index] ?? {})
    const after = await second.stop()
    expect(keyOf(after)).toBe(keyOf(before))
    expect(keyOf(before)).toMatch(/^fd_test_[\w-]{43}$/)
  })
})
