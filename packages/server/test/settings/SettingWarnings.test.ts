import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as MailServer from "@frontdesk/provider-fakes/mail/MailServer"
import { describe, expect, it } from "vitest"
import { settings } from "frontdesk/settings/SettingDefinitions"
import { command } from "../support/command.ts"
import { run, serve } from "../support/inProcess.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"

const twilio = {
  FRONTDESK_TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
  FRONTDESK_TWILIO_AUTH_TOKEN: "hunter3",
  FRONTDESK_TWILIO_VOICE_URL: "https://agent.example.com/voice",
  FRONTDESK_TWILIO_BASE_URL: "http://127.0.0.1:1"
}

/** What `frontdesk check` says of the settings. */
const doubts = async (given: Readonly<Record<string, string>>, ...flags: ReadonlyArray<string>) => {
  const folder = temporaryFolder()
  await command(folder, ["migrate"])
  const { stdout } = await command(folder, ["check", ...flags], given)
  expect(stdout).not.toContain("hunter")
  return [...stdout.matchAll(/^WARNS +settings +(.*)$/gm)].map(([, says]) => says)
}

describe("a variable that is no setting", () => {
  it("is named by check, by the server and by the other commands, without its value, and stops none", async () => {
    const folder = temporaryFolder()
    const mistaken = { FRONTDESK_MAIL_URI: "smtp://hunter2", FRONTDESK_: "x" }
    const migrated = await run(folder, ["migrate"], { settings: mistaken })
    expect(migrated).toMatchObject({ code: 0 })
    const checked = await run(folder, ["check"], { settings: mistaken })
    expect(checked).toMatchObject({ code: 0 })
    const server = await serve(folder, { settings: mistaken })
    await server.wrote("stderr", /FRONTDESK_MAIL_URI/)
    const served = await server.stop()
    for (const text of [migrated.stderr, checked.stdout, served.stderr]) {
      expect(text).toContain("FRONTDESK_MAIL_URI is no setting and counts for nothing; docs/settings.md has them all")
      expect(text).not.toMatch(/hunter2|FRONTDESK_DATABASE_URL is/)
    }
  })

  it("is none that is empty, is for something else, or is read by another command", async () => {
    expect(
      await doubts({
        FRONTDESK_MAIL_URI: "",
        FRONTDESKS: "x",
        FRONTDESK: "x",
        OTHER_FRONTDESK_X: "x",
        FRONTDESK_CALENDAR_SECRET: "hunter2",
        FRONTDESK_COPY_FROM: "x",
        FRONTDESK_COPY_TO: "x"
      })
    ).toEqual([])
  })
})

describe("a setting of a call provider", () => {
  it("that is not chosen is named by check, as it was given", async () => {
    const found = await doubts(twilio, "--vapi-base-url", "http://127.0.0.1:1")
    expect(found).toHaveLength(5)
    for (const name of [...Object.keys(twilio), "--vapi-base-url (FRONTDESK_VAPI_BASE_URL)"]) {
      expect(found).toContain(`${name} counts for nothing, because FRONTDESK_CALL_PROVIDER is simulated`)
    }
  })

  it("that is chosen is not", async () => {
    const chosen = { ...twilio, FRONTDESK_CALL_PROVIDER: "twilio", FRONTDESK_PUBLIC_URL: "https://api.example.com" }
    expect(await doubts(chosen)).toEqual([])
    expect(await doubts({ FRONTDESK_SIMULATED_CALL_PACE: "1" })).toEqual([])
  })
})

describe("the public address", () => {
  it.each([
    ["http://api.example.com", 1],
    ["http://127.0.0.1.example.com", 1],
    ["https://api.example.com", 0],
    ["http://127.0.0.1:8787", 0],
    ["http://[::1]:8787", 0],
    ["http://localhost", 0]
  ])("%s gives rise to so many warnings where calls are placed: %i", async (url, count) => {
    const found = await doubts({ ...twilio, FRONTDESK_CALL_PROVIDER: "twilio", FRONTDESK_PUBLIC_URL: url })
    expect(found).toHaveLength(count)
    for (const says of found) expect(says).toMatch(/^FRONTDESK_PUBLIC_URL begins with http:, so /)
  })

  it("is warned of by the server", async () => {
    const given = { ...twilio, FRONTDESK_CALL_PROVIDER: "twilio", FRONTDESK_PUBLIC_URL: "http://api.example.com" }
    const server = await serve(temporaryFolder(), { settings: given })
    await server.wrote("stderr", /FRONTDESK_PUBLIC_URL begins with http:/)
    await server.stop()
  })
})

describe("a mail server that offers a login when none is given", () => {
  it("can be used as far as can be told, and is warned of by check and by the server", async () => {
    await using mail = await MailServer.open({ disabledCommands: ["STARTTLS"], allowInsecureAuth: true })
    const given = {
      FRONTDESK_MAIL_URL: `smtp://127.0.0.1:${mail.port}`,
      FRONTDESK_MAIL_FROM: "desk@example.com",
      FRONTDESK_MAIL_ALLOW_INSECURE: "true"
    }
    const folder = temporaryFolder()
    const server = await serve(folder, { settings: given })
    await server.wrote("stderr", /Mail may not be sent as it is set up: \S+ answers, and offers a login: /)
    await server.stop()
    const checked = await command(folder, ["check"], given)
    expect(checked.code).toBe(0)
    expect(checked.stdout).toMatch(/^WARNS +mail +\S+ answers, and offers a login: /m)
    const { stdout } = await command(folder, ["check", "--json"], given)
    expect(JSON.parse(stdout)).toMatchObject({
      checks: [
        { what: "database", is_usable: true, is_doubtful: false },
        { what: "mail", is_usable: true, is_doubtful: true },
        { what: "calls" },
        { what: "secrets" }
      ]
    })
  })
})

describe("the help", () => {
  const secrets = Object.values(settings).filter(({ isSecret }) => isSecret === true)

  it.each([
    [["serve"], secrets],
    [["check"], secrets],
    [["secrets", "status"], [settings.secretKeys]],
    [["secrets", "reseal"], [settings.secretKeys]],
    [
      ["calendars", "connect"],
      [settings.secretKeys, settings.googleClientSecret, settings.outlookClientSecret]
    ]
  ])("of %j names the secrets that have no flag", async (name, read) => {
    const { stdout } = await command(temporaryFolder(), [...name, "--help"])
    const text = stdout.replaceAll(/\s+/g, " ")
    expect(text).toContain(`Secrets are variables alone: ${read.map(({ variable }) => variable).join(", ")}; docs/`)
  })
})

describe("a shutdown timeout", () => {
  it("that is not longer than an attempt of a webhook is named by check", async () => {
    expect(await doubts({ FRONTDESK_SHUTDOWN_TIMEOUT: "10s" })).toEqual([
      "FRONTDESK_SHUTDOWN_TIMEOUT is not longer than FRONTDESK_WEBHOOK_TIMEOUT: webhooks that are being sent when the server stops may arrive twice"
    ])
  })
})

describe("the file with the keys of secrets", () => {
  it.each([
    [0o644, true],
    [0o602, true],
    [0o640, false],
    [0o600, false]
  ])("with the permissions %o is named when everyone can read or change it: %s", async (mode, isNamed) => {
    const file = join(temporaryFolder(), "keys")
    writeFileSync(file, `v1:${Buffer.alloc(32, 7).toString("base64")}`)
    chmodSync(file, mode)
    const sentence = `: everyone on this machine can read or change ${file}; run: chmod o= ${file}`
    const byVariable = await doubts({ FRONTDESK_SECRET_KEYS_FILE: file })
    expect(byVariable).toEqual(isNamed ? [`FRONTDESK_SECRET_KEYS_FILE${sentence}`] : [])
    const byFlag = await doubts({}, "--secret-keys-file", file)
    expect(byFlag).toEqual(isNamed ? [`--secret-keys-file (FRONTDESK_SECRET_KEYS_FILE)${sentence}`] : [])
  })

  it("is warned of by the server", async () => {
    const folder = temporaryFolder()
    const file = join(folder, "keys")
    writeFileSync(file, `v1:${Buffer.alloc(32, 7).toString("base64")}`)
    chmodSync(file, 0o644)
    const server = await serve(folder, { settings: { FRONTDESK_SECRET_KEYS_FILE: file } })
    await server.wrote("stderr", /everyone on this machine can read or change/)
    await server.stop()
  })
})
