import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { commandVariables, flagName } from "frontdesk/settings/Setting"
import { settings } from "frontdesk/settings/SettingDefinitions"

const page = readFileSync(join(import.meta.dirname, "../../../../docs/settings.md"), "utf8")

/** The cells of each row that begins with a variable, without the marks of code. */
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| `FRONTDESK_"))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll("`", ""))
  )

describe("docs/settings.md", () => {
  it("lists every setting in the order of the code, with its flag, its default and the text of its help", () => {
    expect(rows.slice(0, Object.keys(settings).length)).toEqual(
      Object.values(settings).map((setting) => [
        setting.variable,
        setting.isSecret === true ? "none" : `--${flagName(setting)}`,
        setting.fallbackInWords ?? setting.fallback,
        setting.meaning
      ])
    )
  })

  it("lists the variables that only one command reads", () => {
    const others = rows.slice(Object.keys(settings).length)
    expect(others.map(([variable]) => variable)).toEqual(Object.values(commandVariables))
  })
})
