import { describe, expect, it } from "@effect/vitest"
import * as SecretContext from "@frontdesk/core/crypto/SecretContext"
import { SecretKeysMissing, SecretUnreadable } from "@frontdesk/core/crypto/SecretError"

describe("SecretError", () => {
  it("the message of a secret says which key version is missing or wrong, or that the text was damaged", () => {
    const messages = [
      new SecretUnreadable({ kind: "unknown_key", version: "v1" }),
      new SecretUnreadable({ kind: "damaged", version: "v1" }),
      new SecretUnreadable({ kind: "damaged", version: null })
    ].map(({ message }) => message)
    expect(messages).toEqual([
      'A secret is sealed with the key version "v1", which is not given',
      'A secret does not open with the key version "v1": the key is wrong, or the stored secret was changed',
      "A sealed secret was damaged where it is stored"
    ])
  })

  it("the message of missing keys has all problems as sentences", () => {
    const [first, second] = ["v1", "v2"].map((version) => new SecretUnreadable({ kind: "unknown_key", version }))
    if (first === undefined || second === undefined) throw new Error("no problems")
    expect(new SecretKeysMissing({ problems: [first, second] }).message).toBe(`${first.message}. ${second.message}`)
  })
})

describe("SecretContext", () => {
  const answer = { accountId: 1, method: "POST", path: "/a", key: "k" }

  it("contexts that differ in purpose, account, name, method, path, key or provider are different", () => {
    const contexts = [
      SecretContext.webhookSecret(1),
      SecretContext.webhookSecret(2),
      SecretContext.installationSecret("1"),
      SecretContext.installationSecret("2"),
      SecretContext.calendarCredentials({ accountId: 1, provider: "google" }),
      SecretContext.calendarCredentials({ accountId: 2, provider: "google" }),
      SecretContext.calendarCredentials({ accountId: 1, provider: "outlook" }),
      SecretContext.idempotentAnswer(answer),
      SecretContext.idempotentAnswer({ ...answer, accountId: 2 }),
      SecretContext.idempotentAnswer({ ...answer, method: "PUT" }),
      SecretContext.idempotentAnswer({ ...answer, path: "/b" }),
      SecretContext.idempotentAnswer({ ...answer, key: "l" })
    ]
    expect(new Set(contexts).size).toBe(contexts.length)
    expect(SecretContext.idempotentAnswer({ ...answer })).toBe(SecretContext.idempotentAnswer(answer))
  })
})
