import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { folder, pictures, size } from "./pictures.ts"

const root = join(folder, "../..")

/** The pages that show pictures. */
const pages = ["README.md", "docs/dashboard.md"]

/** The maximum size of a picture in bytes, because a clone of the repository has every version of it. */
const maxBytes = 120_000

/** A picture of Markdown: the text for people who do not see it, and its file. */
const shown = /!\[([^\]]*)\]\((?:docs\/)?pictures\/([^)]+)\)/g

const files = pictures.map(({ file }) => file)

describe("the pictures of the dashboard (pnpm run pictures)", () => {
  it("are those that the documents show, each with a text for people who do not see it", () => {
    const found = pages.flatMap((page) =>
      [...readFileSync(join(root, page), "utf8").matchAll(shown)].map(([, text = "", file = ""]) => ({ file, text }))
    )
    expect(new Set(found.map(({ file }) => file))).toEqual(new Set(files))
    expect(readdirSync(folder).toSorted()).toEqual(files.toSorted())
    expect(found.filter(({ text }) => text.length < 20)).toEqual([])
  })

  it.each(files)("%s is a PNG of the size in pixels that all have, and small", (file) => {
    const bytes = readFileSync(join(folder, file))
    // A PNG begins with its signature and with the chunk IHDR, which has the width and the height.
    expect(bytes.subarray(0, 16).toString("latin1")).toBe("\x89PNG\r\n\x1A\n\0\0\0\rIHDR")
    expect({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }).toEqual(size)
    expect(bytes.length).toBeLessThanOrEqual(maxBytes)
  })
})
