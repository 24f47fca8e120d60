import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import * as TextParts from "frontdesk/cli/TextParts"
import { command, commandJson } from "../support/command.ts"
import { provisionedFolder } from "../support/inProcess.ts"

describe("frontdesk contacts", () => {
  it("import starts an import of a file with its mapping, imports lists it, and export writes the contacts", async () => {
    const folder = await provisionedFolder()
    const file = join(folder, "people.csv")
    writeFileSync(file, "Name;Mail\r\nJörg;jo@example.com\r\n")
    const flags = [
      "--on-known",
      "update",
      "--separator",
      "semicolon",
      "--column",
      "Name=first_name",
      "--column",
      "Mail=email"
    ]
    const started = await commandJson(folder, ["contacts", "import", "--account", "acme", ...flags, "--json", file])
    expect(started).toMatchObject({
      status: "running",
      on_known: "update",
      separator: ";",
      dry_run: false,
      columns: [
        { column: "Name", field: "first_name" },
        { column: "Mail", field: "email" }
      ],
      parts: 1
    })
    expect(await commandJson(folder, ["contacts", "imports", "--account", "acme", "--json"])).toMatchObject({
      count: 1,
      imports: [started]
    })
    const log = (await command(folder, ["audit", "list", "--account", "acme", "--record", "contact_import"])).stdout
    expect(log).toMatch(
      / command_line +contactImports\.start +contact_import 1 .*\n.* command_line +contactImports\.create /
    )
    const { stdout } = await command(folder, ["contacts", "imports", "--account", "acme"])
    expect(stdout).toMatch(/^ID +STATUS +LINES/)
    const exported = await command(folder, ["contacts", "export", "--account", "acme"])
    expect([exported.code, exported.stdout.split(",")[0]]).toEqual([0, "id"])
  })

  it("import exits with 2 for an unknown field and for a file that cannot be read, and leaves no open import", async () => {
    const folder = await provisionedFolder()
    const bad = join(folder, "latin1.csv")
    writeFileSync(bad, Buffer.from([0x4a, 0xf6, 0x0a]))
    for (const args of [["--column", "Name=name", bad], [bad], [join(folder, "absent.csv")]])
      expect((await command(folder, ["contacts", "import", "--account", "acme", ...args])).code).toBe(2)
    expect(await commandJson(folder, ["contacts", "imports", "--account", "acme", "--json"])).toMatchObject({
      imports: [{ status: "cancelled" }, { status: "cancelled" }]
    })
  })
})

describe("TextParts", () => {
  const all = (chunks: ReadonlyArray<Uint8Array>, max: number) =>
    Array.fromAsync(
      TextParts.of(
        (async function* () {
          yield* chunks
        })(),
        max
      )
    )

  it("of returns parts of at most the maximum, and cuts neither a character nor a surrogate pair", async () => {
    const bytes = new TextEncoder().encode("\uFEFFaé😀b😀")
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte))
    expect((await all(single, 2)).every((part) => part.length <= 2 && part.isWellFormed())).toBe(true)
    expect((await all(single, 2)).join("")).toBe("\uFEFFaé😀b😀")
    expect(await all([bytes], 100)).toEqual(["\uFEFFaé😀b😀"])
    expect(await all([], 2)).toEqual([])
  })

  it("of throws for bytes that are not UTF-8, also for a character that the end cuts", async () => {
    await expect(all([Uint8Array.of(0xff)], 2)).rejects.toThrow(TypeError)
    await expect(all([Uint8Array.of(0xc3)], 2)).rejects.toThrow(TypeError)
  })
})
