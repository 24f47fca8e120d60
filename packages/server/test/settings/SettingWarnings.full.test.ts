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

/** Returns the warnings of `frontdesk check` about settings. */
const warnings = async (given: Readonly<Record<string, string>>, ...flags: ReadonlyArray<string>) => {
  const folder = temporaryFolder()
  await command(folder, ["migrate"])
  const { stdout } = await command(folder, ["check", ...flags], given)
  expect(stdout).not.toContain("hunter")
  return [...stdout.matchAll(/^WARNS +settings +(.*)$/gm)].map(([, says]) => says)
}

describe("an unknown variable", () => {
  it("causes a warning without its value in check, in the server and in the other commands, and no failure", async () => {
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
      expect(text).toContain(
        "Unknown setting FRONTDESK_MAIL_URI is ignored. Did you mean FRONTDESK_MAIL_URL? docs/settings.md lists all settings"
      )
      expect(text).not.toMatch(/hunter2|FRONTDESK_DATABASE_URL is/)
    }
  })

  it("that is like no known one causes a warning without a suggestion", async () => {
    expect(await warnings({ FRONTDESK_COLOUR: "red" })).toEqual([
      "Unknown setting FRONTDESK_COLOUR is ignored. docs/settings.md lists all settings"
    ])
  })

  it("is not one that is empty, has another prefix, or is read by another command", async () => {
    expect(
      await warnings({
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
  it("causes a warning that names its variable or flag when another provider is chosen", async () => {
    const found = await warnings(twilio, "--vapi-base-url", "http://127.0.0.1:1")
    expect(found).toHaveLength(5)
    for (const name of [...Object.keys(twilio), "--vapi-base-url (FRONTDESK_VAPI_BASE_URL)"]) {
      expect(found).toContain(`${name} is ignored, because FRONTDESK_CALL_PROVIDER is simulated`)
    }
  })

  it("causes no warning when its provider is chosen", async () => {
    const chosen = { ...twilio, FRONTDESK_CALL_PROVIDER: "twilio", FRONTDESK_PUBLIC_URL: "https://api.example.com" }
    expect(await warnings(chosen)).toEqual([])
    expect(await warnings({ FRONTDESK_SIMULATED_CALL_PACE: "1" })).toEqual([])
  })
})

describe("the public URL", () => {
  it.each([
    ["http://api.example.com", 1],
    ["http://127.0.0.1.example.com", 1],
    ["https://api.example.com", 0],
    ["http://127.0.0.1:8787", 0],
    ["http://[::1]:8787", 0],
    ["http://localhost", 0]
  ])("%s causes this number of warnings when Twilio places the calls: %i", async (url, count) => {
    const found = await warnings({ ...twilio, FRONTDESK_CALL_PROVIDER: "twilio", FRONTDESK_PUBLIC_URL: url })
    expect(found).toHaveLength(count)
    for (const says of found) expect(says).toMatch(/^FRONTDESK_PUBLIC_URL begins with http:, so /)
  })

  it("causes a warning in the log of the server when it begins with http:", async () => {
    const given = { ...twilio, FRONTDESK_CALL_PROVIDER: "twilio", FRONTDESK_PUBLIC_URL: "http://api.example.com" }
    const server = await serve(temporaryFolder(), { settings: given })
    await server.wrote("stderr", /FRONTDESK_PUBLIC_URL begins with http:/)
    await server.stop()
  })
})

describe("a host that stands for all addresses", () => {
  it.each([
    ["0.0.0.0", "127.0.0.1"],
    ["::", "[::1]"]
  ])("%s without a public URL causes a warning that links name %s", async (host, named) => {
    expect(await warnings({ FRONTDESK_HOST: host })).toEqual([
      `FRONTDESK_HOST is ${host} and FRONTDESK_PUBLIC_URL is not set, so links name ${named} and do not work on other ` +
        "machines, and no sign-in links are mailed. Set FRONTDESK_PUBLIC_URL to the address at which others reach this server"
    ])
  })

  it.each([
    { FRONTDESK_HOST: "127.0.0.1" },
    { FRONTDESK_HOST: "::1" },
    { FRONTDESK_HOST: "localhost" },
    { FRONTDESK_HOST: "0.0.0.0", FRONTDESK_PUBLIC_URL: "https://api.example.com" },
    { FRONTDESK_HOST: "0.0.0.0", FRONTDESK_WORKERS: "only" }
  ])("%o causes no warning about links", async (given) => {
    expect(await warnings(given)).toEqual([])
  })

  it("causes a warning in the log of the server", async () => {
    const server = await serve(temporaryFolder(), { settings: { FRONTDESK_HOST: "0.0.0.0" } })
    await server.wrote(
      "stderr",
      /FRONTDESK_HOST is 0\.0\.0\.0 and FRONTDESK_PUBLIC_URL is not set, so links name 127\.0\.0\.1/
    )
    await server.stop()
  })
})

describe("a mail server that offers a login when the settings have none", () => {
  it("can be used, and causes a warning in check and in the log of the server", async () => {
    await using mail = await MailServer.open({ disabledCommands: ["STARTTLS"], allowInsecureAuth: true })
    const given = {
      FRONTDESK_MAIL_URL: `smtp://127.0.0.1:${mail.port}`,
      FRONTDESK_MAIL_FROM: "desk@example.com",
      FRONTDESK_MAIL_ALLOW_INSECURE: "true"
    }
    const folder = temporaryFolder()
    const server = await serve(folder, { settings: given })
    await server.wrote("stderr", /Mail possibly cannot be sent with these settings: \S+ offers a login\. /)
    await server.stop()
    const checked = await command(folder, ["check"], given)
    expect(checked.code).toBe(0)
    expect(checked.stdout).toMatch(/^WARNS +mail +\S+ offers a login\. /m)
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
  ])("of %j lists the secrets, which have no flag", async (name, read) => {
    const { stdout } = await command(temporaryFolder(), [...name, "--help"])
    const text = stdout.replaceAll(/\s+/g, " ")
    expect(text).toContain(
      `Secrets have no flags, only variables: ${read.map(({ variable }) => variable).join(", ")}. See docs/`
    )
  })
})

describe("the shutdown timeout", () => {
  it("causes a warning in check when it is not longer than the timeout of webhooks", async () => {
    expect(await warnings({ FRONTDESK_SHUTDOWN_TIMEOUT: "10s" })).toEqual([
      "FRONTDESK_SHUTDOWN_TIMEOUT is not longer than FRONTDESK_WEBHOOK_TIMEOUT: webhook events that are being sent when the server stops may arrive twice"
    ])
  })
})

describe("the file with the secret keys", () => {
  it.each([
    [0o644, true],
    [0o602, true],
    [0o640, false],
    [0o600, false]
  ])("with the permissions %o causes a warning: %s", async (mode, isReported) => {
    const file = join(temporaryFolder(), "keys")
    writeFileSync(file, `v1:${Buffer.alloc(32, 7).toString("base64")}`)
    chmodSync(file, mode)
    const sentence = `: every user of this machine can read or change ${file}. Run: chmod o= ${file}`
    const byVariable = await warnings({ FRONTDESK_SECRET_KEYS_FILE: file })
    expect(byVariable).toEqual(isReported ? [`FRONTDESK_SECRET_KEYS_FILE${sentence}`] : [])
    const byFlag = await warnings({}, "--secret-keys-file", file)
    expect(byFlag).toEqual(isReported ? [`--secret-keys-file (FRONTDESK_SECRET_KEYS_FILE)${sentence}`] : [])
  })

  it("causes a warning in the log of the server when every user can read it", async () => {
    const folder = temporaryFolder()
    const file = join(folder, "keys")
    writeFileSync(file, `v1:${Buffer.alloc(32, 7).toString("base64")}`)
    chmodSync(file, 0o644)
    const server = await serve(folder, { settings: { FRONTDESK_SECRET_KEYS_FILE: file } })
    await server.wrote("stderr", /every user of this machine can read or change/)
    await server.stop()
  })
})
