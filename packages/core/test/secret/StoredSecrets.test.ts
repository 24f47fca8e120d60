import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { areLost, type ConnectionKey } from "@frontdesk/core/external-calendar/CalendarConnection"
import { CalendarConnections } from "@frontdesk/core/external-calendar/CalendarConnections"
import { CalendarLinks } from "@frontdesk/core/calendar-event/CalendarLinks"
import { CalendarEventUuid } from "@frontdesk/core/calendar-event/CalendarEvent"
import { StoredSecrets } from "@frontdesk/core/secret/StoredSecrets"
import { StoredText } from "@frontdesk/core/crypto/SecretBox"
import { Webhooks } from "@frontdesk/core/webhook/Webhooks"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as LogCapture from "@frontdesk/testing/LogCapture"
import { makeAccount } from "@frontdesk/testing/suite/Samples"
import { box, newKey, oldKey, withKeys, wrongKey } from "../delivery/sealing.ts"
import { AccountLimits, defaultLimits } from "@frontdesk/core/access/AccountLimits"
import { services } from "../webhook/services.ts"

const input = { name: "Orders", url: "https://example.com/hook", subscribedEvents: ["call.ended"] }

const create = Effect.flatMap(Webhooks, (webhooks) => webhooks.create(input))

const { counts, reseal } = {
  counts: Effect.flatMap(StoredSecrets, (secrets) => secrets.counts),
  reseal: (options?: { readonly replaceUnreadable?: ReadonlyArray<string> }) =>
    Effect.flatMap(StoredSecrets, (secrets) => secrets.reseal(options))
}

const connect = Effect.fnUntraced(function* (password: string) {
  const { id } = yield* makeAccount()
  const connections = yield* CalendarConnections
  return yield* connections.connect(
    { accountId: id, provider: "apple" },
    "https://example.com/",
    Redacted.make(password)
  )
})

const connections = (accountId: AccountId) =>
  Effect.flatMap(CalendarConnections, (connections) => connections.list(accountId))

const credentialsOf = ({ accountId, provider }: ConnectionKey) =>
  Effect.flatMap(CalendarConnections, (connections) =>
    Effect.map(connections.open({ accountId, provider }), (found) =>
      Redacted.value(Option.getOrThrow(found).credentials)
    )
  )

const check = Effect.flatMap(StoredSecrets, (secrets) => secrets.check)

/** Returns the link to a calendar file, as a process with these keys signs it. */
const link = (...keys: ReadonlyArray<string>) =>
  Effect.provide(
    Effect.flatMap(CalendarLinks, ({ icsUrl }) =>
      icsUrl(
        { uuid: CalendarEventUuid.make("0c9a3f0e-6b1d-4b8e-9c5a-1f2e3d4c5b6a"), accountId: AccountId.make(1) },
        AccountId.make(1)
      )
    ),
    Layer.fresh(CalendarLinks.layer).pipe(Layer.provide(box(...keys)))
  )

const all = Effect.flatMap(WebhookStore, (store) => store.secrets(null, 10_000))

/** Damages the stored text of the first webhook's current secret. */
const damageFirst = Effect.gen(function* () {
  const store = yield* WebhookStore
  const [row] = yield* all
  if (row === undefined) return yield* Effect.die("There is no webhook")
  const damaged = Redacted.make(StoredText.make(`${Redacted.value(row.current)}AAAA`))
  yield* store.replaceSecret(row.webhookId, row.current, damaged)
  return row.webhookId
})

/** Returns the log lines of a process that starts with these keys. */
const startLog = Effect.fnUntraced(function* (...keys: ReadonlyArray<string>) {
  const lines: Array<string> = []
  const logging = LogCapture.layer(({ json }) => void lines.push(json), "Info")
  const start = Layer.fresh(StoredSecrets.layerCheck.pipe(Layer.provide(StoredSecrets.layer)))
  yield* Effect.scoped(Layer.build(start.pipe(Layer.provide([box(...keys), logging]))))
  return lines
})

describe("StoredSecrets", () => {
  it.effect("counts returns the secrets of each kind and key version, and how many cannot be opened", () =>
    Effect.gen(function* () {
      yield* create
      yield* withKeys(oldKey)(create)
      yield* withKeys(oldKey)(
        Effect.flatMap(create, ({ webhook }) => Effect.flatMap(Webhooks, (w) => w.rotateSecret(webhook.id)))
      )
      yield* link(oldKey)
      expect(yield* counts.pipe(withKeys(newKey))).toEqual([
        { kind: "installation", version: "old", count: 1, unreadable: 1 },
        { kind: "webhook", version: null, count: 1, unreadable: 0 },
        { kind: "webhook", version: "old", count: 3, unreadable: 3 }
      ])
      expect((yield* counts.pipe(withKeys(newKey, oldKey))).map(({ unreadable }) => unreadable)).toEqual([0, 0, 0])
    }).pipe(Effect.provide(services()))
  )

  it.effect(
    "check fails for a missing key version in use, and for a key that opens no secret of its version (D-SEC-3)",
    () =>
      Effect.gen(function* () {
        yield* check.pipe(withKeys())
        yield* create
        yield* check.pipe(withKeys())
        yield* withKeys(oldKey)(create)
        yield* withKeys(newKey)(create)
        yield* check.pipe(withKeys(newKey, oldKey))
        const missing = yield* Effect.flip(check.pipe(withKeys(newKey)))
        expect(missing).toMatchObject({
          _tag: "SecretKeysMissing",
          problems: [{ kind: "unknown_key", version: "old" }]
        })
        const wrong = yield* Effect.flip(check.pipe(withKeys(wrongKey)))
        expect(wrong).toMatchObject({
          problems: [
            { kind: "damaged", version: "old" },
            { kind: "unknown_key", version: "new" }
          ]
        })
      }).pipe(Effect.provide(services()))
  )

  it.effect("check succeeds when the key is right and one secret is damaged (D-SEC-3)", () =>
    Effect.gen(function* () {
      yield* create
      yield* create
      yield* damageFirst
      yield* check
      expect(yield* counts).toMatchObject([{ count: 2, unreadable: 1 }])
      expect(yield* reseal()).toMatchObject({ resealed: 0, unchanged: 1, unreadable: 1 })
    }).pipe(withKeys(oldKey), Effect.provide(services()))
  )

  it.effect("reseal from plain to one key, to another key and back to plain keeps every secret (D-SEC-2)", () =>
    Effect.gen(function* () {
      const made = yield* Effect.forEach(Array.from({ length: 299 }), () => create)
      const { webhook } = yield* create
      const rotated = yield* Effect.flatMap(Webhooks, (webhooks) => webhooks.rotateSecret(webhook.id))
      const url = yield* link()
      // The current secrets of 300 webhooks, one previous secret, and the secret of the installation.
      const secrets = 302
      for (const [keys, version] of [
        [[oldKey], "old"],
        [[newKey, oldKey], "new"],
        [["plain", newKey], null]
      ] as const) {
        expect(yield* reseal().pipe(withKeys(...keys))).toEqual({
          resealed: secrets,
          unchanged: 0,
          unreadable: 0,
          replaced: [],
          disconnected: []
        })
        expect(yield* reseal().pipe(withKeys(...keys))).toEqual({
          resealed: 0,
          unchanged: secrets,
          unreadable: 0,
          replaced: [],
          disconnected: []
        })
        const [first = oldKey] = keys
        expect(yield* counts.pipe(withKeys(first === "plain" ? "" : first))).toEqual([
          { kind: "installation", version, count: 1, unreadable: 0 },
          { kind: "webhook", version, count: 301, unreadable: 0 }
        ])
        expect(yield* link(first === "plain" ? "" : first)).toBe(url)
      }
      const stored = (yield* all).map(({ current }) => Redacted.value(current))
      const issued = [...made, rotated].map(({ secret }) => Redacted.value(secret))
      expect(stored).toEqual(issued)
    }).pipe(Effect.provide(services()), Effect.provideService(AccountLimits, { ...defaultLimits, webhooks: 300 }))
  )

  it.effect("reseal leaves a secret that it cannot open as it is, and seals the others", () =>
    Effect.gen(function* () {
      yield* withKeys(oldKey)(create)
      yield* create
      const before = yield* all
      expect(yield* reseal().pipe(withKeys(newKey))).toEqual({
        resealed: 1,
        unchanged: 0,
        unreadable: 1,
        replaced: [],
        disconnected: []
      })
      expect((yield* all)[0]).toEqual(before[0])
    }).pipe(Effect.provide(services()))
  )

  it.effect(
    "reseal replaces the unreadable secrets of a named version and returns the webhooks whose current secret it was (D-SEC-6)",
    () =>
      Effect.gen(function* () {
        const lost = yield* withKeys(oldKey)(create)
        const rotated = yield* withKeys(oldKey)(create)
        yield* withKeys(newKey)(Effect.flatMap(Webhooks, (webhooks) => webhooks.rotateSecret(rotated.webhook.id)))
        yield* link(oldKey)
        yield* Effect.gen(function* () {
          expect(yield* reseal({ replaceUnreadable: ["old"] })).toEqual({
            resealed: 3,
            unchanged: 1,
            unreadable: 0,
            replaced: [lost.webhook.id],
            disconnected: []
          })
          yield* check
          expect((yield* counts).map(({ unreadable }) => unreadable)).toEqual([0, 0])
        }).pipe(withKeys(newKey))
      }).pipe(Effect.provide(services()))
  )

  it.effect("reseal does not replace unreadable secrets of other versions, also without any key", () =>
    Effect.gen(function* () {
      yield* withKeys(oldKey)(create)
      const lost = yield* withKeys(newKey)(create)
      const before = yield* all
      expect(yield* reseal({ replaceUnreadable: [] }).pipe(withKeys())).toMatchObject({ unreadable: 2, replaced: [] })
      expect(yield* all).toEqual(before)
      expect(yield* reseal({ replaceUnreadable: ["new"] }).pipe(withKeys("plain"))).toEqual({
        resealed: 1,
        unchanged: 0,
        unreadable: 1,
        replaced: [lost.webhook.id],
        disconnected: []
      })
      expect((yield* all)[0]).toEqual(before[0])
    }).pipe(Effect.provide(services()))
  )

  it.effect("reseal fails and replaces nothing when one of the named versions is not in use", () =>
    Effect.gen(function* () {
      yield* withKeys(oldKey)(create)
      const before = yield* all
      const refused = yield* Effect.flip(reseal({ replaceUnreadable: ["old", "olds"] }).pipe(withKeys(newKey)))
      expect(refused).toMatchObject({ _tag: "KeyVersionNotInUse", version: "olds" })
      expect(yield* all).toEqual(before)
    }).pipe(Effect.provide(services()))
  )

  it.effect(
    "reseal replaces the damaged secrets of a key that opens others, and none of a key that opens no secret",
    () =>
      Effect.gen(function* () {
        yield* create
        yield* create
        const damaged = yield* damageFirst
        const before = yield* all
        const wrong = yield* reseal({ replaceUnreadable: ["old"] }).pipe(withKeys(newKey, wrongKey))
        expect(wrong).toMatchObject({ resealed: 0, unreadable: 2, replaced: [] })
        expect(yield* all).toEqual(before)
        const right = yield* reseal({ replaceUnreadable: ["old"] })
        expect(right).toEqual({ resealed: 1, unchanged: 1, unreadable: 0, replaced: [damaged], disconnected: [] })
        expect((yield* all)[1]).toEqual(before[1])
      }).pipe(withKeys(oldKey), Effect.provide(services()))
  )

  it.effect("reseal seals the credentials of external calendars, over several pages, and keeps each of them", () =>
    Effect.gen(function* () {
      const made = yield* Effect.forEach(
        Array.from({ length: 260 }, (_, index) => `password ${index}`),
        (password) => Effect.map(withKeys(oldKey)(connect(password)), (connection) => ({ connection, password }))
      )
      expect(yield* reseal().pipe(withKeys(newKey, oldKey))).toMatchObject({ resealed: 260, unchanged: 0 })
      expect(yield* counts.pipe(withKeys(newKey))).toEqual([
        { kind: "calendar", version: "new", count: 260, unreadable: 0 }
      ])
      yield* withKeys(newKey)(
        Effect.forEach(made, ({ connection, password }) =>
          Effect.map(credentialsOf(connection), (credentials) => expect(credentials).toBe(password))
        )
      )
    }).pipe(Effect.provide(services()))
  )

  it.effect(
    "reseal gives up the unreadable credentials of a named version and returns their connections (D-SEC-7)",
    () =>
      Effect.gen(function* () {
        const { createdAt, updatedAt, ...lost } = yield* withKeys(oldKey)(connect("lost"))
        const readable = yield* withKeys(newKey)(connect("readable"))
        expect(yield* reseal().pipe(withKeys(newKey))).toMatchObject({ unreadable: 1, disconnected: [] })
        const { accountId, provider } = lost
        expect(yield* reseal({ replaceUnreadable: ["old"] }).pipe(withKeys(newKey))).toEqual({
          resealed: 1,
          unchanged: 1,
          unreadable: 0,
          replaced: [],
          disconnected: [{ accountId, provider }]
        })
        yield* Effect.gen(function* () {
          yield* check
          expect(yield* connections(lost.accountId)).toEqual([{ ...lost, createdAt, updatedAt }])
          expect(areLost(Redacted.make(yield* credentialsOf(lost)))).toBe(true)
          expect(yield* credentialsOf(readable)).toBe("readable")
        }).pipe(withKeys(newKey))
      }).pipe(Effect.provide(services()))
  )

  it.effect(
    "layerCheck logs the number of plain secrets as a warning when a key is set, and no part of a secret (D-SEC-8)",
    () =>
      Effect.gen(function* () {
        const { secret } = yield* create
        yield* create
        yield* withKeys(oldKey)(create)
        const lines = yield* startLog(oldKey)
        expect(lines).toHaveLength(1)
        expect(lines[0]).toContain('"logEvent":"secrets.plain"')
        expect(lines[0]).toContain('"secrets":2')
        expect(lines[0]).not.toContain(Redacted.value(secret))
        expect(yield* startLog("plain", oldKey)).toEqual([])
        yield* reseal().pipe(withKeys(oldKey))
        expect(yield* startLog(oldKey)).toEqual([])
      }).pipe(Effect.provide(services()))
  )

  it.effect("reseal keeps a rotation that comes between its reading and its writing", () =>
    Effect.gen(function* () {
      const { secret, webhook } = yield* withKeys(oldKey)(create)
      const store = yield* WebhookStore
      const rotate = withKeys(oldKey)(Effect.flatMap(Webhooks, (webhooks) => webhooks.rotateSecret(webhook.id)))
      const context = yield* Effect.context<Effect.Services<typeof rotate>>()
      const rotating = WebhookStore.of({
        ...store,
        secrets: (after, limit) =>
          Effect.tap(store.secrets(after, limit), (page) =>
            page.length === 0 ? Effect.void : Effect.orDie(Effect.provide(rotate, context))
          )
      })
      const resealed = yield* reseal().pipe(withKeys(newKey, oldKey), Effect.provideService(WebhookStore, rotating))
      expect(resealed).toMatchObject({ resealed: 1 })
      // The secret that was read is now the previous one. It is sealed again there, and the new secret stays.
      expect(yield* counts.pipe(withKeys(newKey, oldKey))).toEqual([
        { kind: "webhook", version: "old", count: 1, unreadable: 0 },
        { kind: "webhook", version: "new", count: 1, unreadable: 0 }
      ])
      yield* reseal().pipe(withKeys("plain", newKey, oldKey))
      const [row] = yield* all
      expect(row?.previous === null || row?.previous === undefined ? null : Redacted.value(row.previous)).toBe(
        Redacted.value(secret)
      )
    }).pipe(Effect.provide(services()))
  )
})
