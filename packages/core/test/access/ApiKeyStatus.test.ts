import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { type ApiKey, ApiKeyId } from "@frontdesk/core/access/ApiKey"
import * as ApiKeyStatus from "@frontdesk/core/access/ApiKeyStatus"
import * as DateTime from "effect/DateTime"

const at = (text: string) => DateTime.makeUnsafe(text)

const key: ApiKey = {
  id: ApiKeyId.make(1),
  accountId: AccountId.make(1),
  name: "Website",
  permissions: [],
  prefix: "fd_live_abcd",
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  previousExpiresAt: null,
  createdAt: at("2026-01-01T00:00:00Z")
}

const noon = at("2026-03-01T12:00:00Z")

describe("ApiKeyStatus", () => {
  it.each([
    ["without an end", {}, "active"],
    ["a millisecond before its expiry", { expiresAt: at("2026-03-01T12:00:00.001Z") }, "active"],
    ["at the instant of its expiry", { expiresAt: noon }, "expired"],
    ["after a rotation whose grace time has ended", { previousExpiresAt: at("2026-02-01T00:00:00Z") }, "active"],
    ["that is revoked", { revokedAt: noon }, "revoked"],
    ["that expired before it was revoked", { expiresAt: at("2026-02-01T00:00:00Z"), revokedAt: noon }, "revoked"]
  ] as const)("a key %s, with %j, is %s", (_, fields, status) => {
    expect(ApiKeyStatus.of({ ...key, ...fields }, noon)).toBe(status)
  })
})
