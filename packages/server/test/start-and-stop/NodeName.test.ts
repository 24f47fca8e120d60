import { existsSync, readFileSync } from "node:fs"
import { hostname } from "node:os"
import { describe, expect, it } from "vitest"
import * as NodeName from "frontdesk/NodeName"

const bootId = "/proc/sys/kernel/random/boot_id"

describe("the name of a node", () => {
  it("has the host name and the address, is equal for the same address, and differs for another port", () => {
    const name = NodeName.make({ host: "0.0.0.0", port: 80 })
    expect(name).toMatch(/ 0\.0\.0\.0:80$/)
    expect(name?.startsWith(`${hostname()} `)).toBe(true)
    expect(NodeName.make({ host: "0.0.0.0", port: 80 })).toBe(name)
    expect(NodeName.make({ host: "0.0.0.0", port: 81 })).not.toBe(name)
  })

  it.skipIf(!existsSync(bootId))(
    "has the boot id on Linux, which differs between machines with the same host name",
    () => {
      expect(NodeName.make({ host: "0.0.0.0", port: 80 })).toContain(` ${readFileSync(bootId, "utf8").trim()} `)
    }
  )

  it("has only the host name when the boot id cannot be read (D-SRV-4)", () => {
    expect(NodeName.make({ host: "0.0.0.0", port: 80 }, "/nowhere/boot_id")).toBe(`${hostname()} 0.0.0.0:80`)
  })

  it("is null when the system chooses the port", () => {
    expect(NodeName.make({ host: "0.0.0.0", port: 0 })).toBeNull()
  })
})
