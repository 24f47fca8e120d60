import { Frontdesk, type MountOptions } from "@frontdesk/embed"
import { afterAll, beforeAll } from "vitest"
import { document, silent } from "../opened.ts"
import type { Served } from "../withServer.ts"
import type { Host } from "./hosts.ts"

/**
 * Mounts a Frontdesk with the accounts of {@link document} in a program before the tests of the suite that calls it, and
 * closes both after them.
 *
 * @returns the Frontdesk and the URL of the program, which the tests can read and the suite itself cannot
 */
export const mounted = (open: Host, options: MountOptions): { readonly frontdesk: Frontdesk; readonly url: string } => {
  let frontdesk: Frontdesk
  // A suite whose program cannot start closes its Frontdesk all the same.
  let served: Served = { url: "", close: () => Promise.resolve() }
  beforeAll(async () => {
    frontdesk = await Frontdesk.open({ storage: { memory: true }, workers: false, logger: silent })
    await frontdesk.provision(document)
    served = await open(frontdesk, options)
  })
  afterAll(async () => {
    await served.close()
    await frontdesk.close()
  })
  return {
    get frontdesk() {
      return frontdesk
    },
    get url() {
      return served.url
    }
  }
}
