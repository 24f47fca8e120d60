import { InstallationView } from "@frontdesk/http/operator/OperatorView"
import * as Schema from "effect/Schema"
import { beforeAll, describe, expect, it } from "vitest"
import { command } from "../support/command.ts"
import { provisionedFolder, serve, type Server } from "../support/inProcess.ts"

const decoded = Schema.decodeUnknownSync(Schema.fromJsonString(InstallationView))

/** Signs in to the dashboard of a server as operator. Returns what its installation answers. */
const installationOf = async (folder: string, { url }: Server) => {
  const { stdout } = await command(folder, ["dashboard", "link", "--account", "acme", "--operator"], {
    FRONTDESK_PUBLIC_URL: url
  })
  const link = /^ +(http:\S+)$/m.exec(stdout)?.[1] ?? ""
  const signedIn = await fetch(link, { method: "POST", redirect: "manual", headers: { origin: url } })
  const cookie = signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? ""
  return async () => {
    const answer = await fetch(`${url}/dashboard/api/v1/operator/installation`, { headers: { cookie } })
    return decoded(await answer.text())
  }
}

describe("the list of servers (D-OP-6)", () => {
  let folder: string

  beforeAll(async () => {
    folder = await provisionedFolder()
  })

  it("has every server on the database, also one without workers, until it stops", async () => {
    const first = await serve(folder)
    const second = await serve(folder, { args: ["--workers", "none"] })
    const installation = await installationOf(folder, first)
    const seen = async () => (await installation()).nodes.map(({ workers }) => workers).toSorted((a, b) => a - b)
    await expect.poll(seen, { timeout: 20_000 }).toEqual([0, 15])
    const { node, nodes, runtime, version, workers } = await installation()
    expect(workers).toHaveLength(15)
    for (const listed of nodes) {
      expect(listed).toMatchObject({ version, runtime, restarting: 0, isSilent: false })
      expect([listed.isThis, listed.workers]).toEqual(listed.name === node ? [true, 15] : [false, 0])
    }
    expect(await second.stop()).toMatchObject({ code: 0 })
    expect(await seen()).toEqual([15])
  })
})
