import { ownRows } from "@frontdesk/core/access/Scope"
import { describe, expect, it } from "@effect/vitest"
import { Accounts, defaultSettings } from "@frontdesk/core/account/Accounts"
import { OwnAccount } from "@frontdesk/core/account/OwnAccount"
import { Principal } from "@frontdesk/core/access/Principal"
import { AccountId } from "@frontdesk/core/access/Account"
import { AccountLimits, defaultLimits } from "@frontdesk/core/access/AccountLimits"
import { ApiKeys } from "@frontdesk/core/access/ApiKeys"
import * as Permission from "@frontdesk/core/access/Permission"
import { AgentId } from "@frontdesk/core/agent/Agent"
import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import { Contacts } from "@frontdesk/core/contact/Contacts"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { Provisioning } from "@frontdesk/core/provisioning/Provisioning"
import { ProvisioningDocument } from "@frontdesk/core/provisioning/ProvisioningDocument"
import * as FieldProblems from "@frontdesk/core/values/FieldProblems"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import { ContextVariableStore } from "@frontdesk/core/variable/ContextVariableStore"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"

const services = Provisioning.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(Accounts.layer, ApiKeys.layer, Contacts.layer, OwnAccount.layer)),
  Layer.provideMerge(Layer.mergeAll(MemoryStorage.layer, Crypto.layerWebCrypto))
)

const decode = Schema.decodeUnknownEffect(ProvisioningDocument, { errors: "all" })

const apply = (document: unknown) =>
  Effect.gen(function* () {
    const provisioning = yield* Provisioning
    return yield* provisioning.apply(yield* Effect.orDie(decode(document)))
  })

const problemsOf = (document: unknown) =>
  Effect.map(Effect.flip(apply(document)), (error) =>
    error._tag === "ProvisioningError" ? error.problems.map(({ field }) => field) : []
  )

const example = {
  teams: [{ ref: "sales", name: "Sales" }],
  accounts: [
    {
      ref: "acme",
      name: "Acme",
      role: "standard",
      partner: null,
      teams: ["sales"],
      balance: 100,
      price_per_minute: 0.1,
      time_zone: "America/New_York",
      working_hours: {
        mon: [["09:00", "17:00"]],
        tue: [
          ["09:00", "12:00"],
          ["13:00", "24:00"]
        ]
      },
      date_overrides: { "2026-12-25": [] },
      slot_interval_minutes: null,
      buffer_before_minutes: 0,
      buffer_after_minutes: 0,
      minimum_notice_minutes: 0,
      reject_conflicts: false,
      api_keys: [
        {
          ref: "acme-full",
          name: "Everything",
          permissions: ["*"],
          key: "fd_test_acme_full_0123456789abcdefghijklmnop"
        }
      ],
      agents: [
        {
          ref: "ada",
          name: "Ada",
          role: "outbound agent",
          assistant_id: "asst_ada",
          phone_number: "+12025550100",
          model: "gpt-x",
          voice_id: "v1",
          team: "sales"
        }
      ],
      contacts: [{ ref: "jo", first_name: "Jo", phone_numbers: [{ phone_number: "+12025550111", primary: true }] }]
    }
  ]
}

describe("Provisioning", () => {
  it.effect("a document creates teams, accounts, keys, agents and contacts, and returns their ids by ref", () =>
    Effect.gen(function* () {
      const provisioned = yield* apply(example)
      expect(Object.keys(provisioned.contacts)).toEqual(["jo"])
      expect(provisioned.contacts["jo"]?.phoneNumbers).toHaveLength(1)
      const accounts = yield* Accounts
      const account = yield* accounts.get(AccountId.make(provisioned.accounts["acme"] ?? 0))
      expect(account.teamIds).toEqual([provisioned.teams["sales"]])
      expect(account.settings.timeZone).toBe("America/New_York")
      expect(account.settings.pricePerMinute).toBe(100_000)
      expect((yield* accounts.funds(account.id)).balance).toBe(100_000_000)
      const agents = yield* Effect.flatMap(AgentStore, (store) => store.list({ accountIds: [account.id], teamIds: [] }))
      expect(agents.map((agent) => agent.assistantId)).toEqual(["asst_ada"])
    }).pipe(Effect.provide(services))
  )

  it.effect("the same document again changes nothing and returns the same ids (D-SETUP-1)", () =>
    Effect.gen(function* () {
      const first = yield* apply(example)
      const second = yield* apply(example)
      expect(second).toEqual(first)
      const accounts = yield* Accounts
      expect(yield* accounts.list).toHaveLength(1)
      expect((yield* accounts.funds(AccountId.make(first.accounts["acme"] ?? 0))).deposits).toBe(100_000_000)
    }).pipe(Effect.provide(services))
  )

  it.effect("a given key value is used, and * grants every permission", () =>
    Effect.gen(function* () {
      yield* apply(example)
      const keys = yield* ApiKeys
      const principal = yield* keys.authenticate(Redacted.make("fd_test_acme_full_0123456789abcdefghijklmnop"))
      expect([...principal.permissions].toSorted()).toEqual([...Permission.all].toSorted())
    }).pipe(Effect.provide(services))
  )

  it.effect("a generated key value is returned only by the run that creates the key", () =>
    Effect.gen(function* () {
      const document = {
        accounts: [{ ref: "a", name: "A", api_keys: [{ ref: "k", permissions: ["can_read_agents"] }] }]
      }
      const first = yield* apply(document)
      const second = yield* apply(document)
      const value = first.apiKeys["k"]?.key
      expect(value && Redacted.value(value)).toMatch(/^fd_live_/)
      expect(second.apiKeys["k"]).toEqual({ id: first.apiKeys["k"]?.id })
    }).pipe(Effect.provide(services))
  )

  it.effect("a later document updates names, settings and agents, and does not change money (D-SETUP-1)", () =>
    Effect.gen(function* () {
      const first = yield* apply(example)
      const changed = structuredClone(example)
      const [acme] = changed.accounts
      if (acme === undefined) return expect.unreachable()
      acme.name = "Acme Inc."
      acme.balance = 500
      acme.time_zone = "Europe/Paris"
      const [ada] = acme.agents
      if (ada !== undefined) ada.name = "Ada II"
      yield* apply(changed)
      const accounts = yield* Accounts
      const account = yield* accounts.get(AccountId.make(first.accounts["acme"] ?? 0))
      expect(account.name).toBe("Acme Inc.")
      expect(account.settings.timeZone).toBe("Europe/Paris")
      expect((yield* accounts.funds(account.id)).balance).toBe(100_000_000)
      const agents = yield* Effect.flatMap(AgentStore, (store) => store.list({ accountIds: [account.id], teamIds: [] }))
      expect(agents.map((agent) => agent.name)).toEqual(["Ada II"])
    }).pipe(Effect.provide(services))
  )

  it.effect("a later document keeps the settings that it does not give, and sets those that it gives (D-SETUP-1)", () =>
    Effect.gen(function* () {
      const first = yield* apply({ accounts: [{ ref: "acme", name: "Acme", time_zone: "Europe/Paris" }] })
      const accounts = yield* Accounts
      const id = AccountId.make(first.accounts["acme"] ?? 0)
      const own = yield* OwnAccount
      const changes = { workingHours: { sat: [["10:00", "12:00"]] }, timeZone: TimeZone.make("Asia/Tokyo") } as const
      yield* Effect.provideService(own.patch(changes), Principal, yield* accounts.principal(id))
      yield* apply({ accounts: [{ ref: "acme", name: "Acme", time_zone: "Europe/Paris", reject_conflicts: true }] })
      expect((yield* accounts.get(id)).settings).toEqual({
        ...defaultSettings,
        timeZone: "Europe/Paris",
        workingHours: { sat: [["10:00", "12:00"]] },
        rejectConflicts: true
      })
    }).pipe(Effect.provide(services))
  )

  it.effect("a ref can be a name that every object inherits, such as constructor", () =>
    Effect.gen(function* () {
      const contacts = [{ ref: "__proto__", first_name: "Jo" }]
      const agents = [{ ref: "__proto__", name: "Ada", assistant_id: "__proto__", team: "__proto__" }]
      const provisioned = yield* apply({
        teams: [{ ref: "__proto__", name: "T" }],
        accounts: [
          { ref: "__proto__", name: "P", role: "partner", teams: ["__proto__"], agents, contacts },
          { ref: "constructor", name: "C", role: "client", partner: "__proto__" }
        ]
      })
      expect(Object.entries(provisioned.teams)).toEqual([["__proto__", 1]])
      expect(Object.entries(provisioned.accounts)).toEqual([
        ["__proto__", 1],
        ["constructor", 2]
      ])
      const accounts = yield* Accounts
      expect((yield* accounts.get(AccountId.make(1))).teamIds).toEqual([1])
      expect((yield* accounts.get(AccountId.make(2))).partnerId).toBe(1)
      const [agent] = yield* Effect.flatMap(AgentStore, (store) =>
        store.list({ accountIds: [AccountId.make(1)], teamIds: [] })
      )
      expect(agent?.teamId).toBe(1)
    }).pipe(Effect.provide(services))
  )

  it.effect("a later run keeps the creation time and the usage counters of an agent", () =>
    Effect.gen(function* () {
      const provisioned = yield* apply(example)
      const store = yield* AgentStore
      const scope = { accountIds: [AccountId.make(provisioned.accounts["acme"] ?? 0)], teamIds: [] }
      yield* store.addUsage(AgentId.make(provisioned.agents["ada"] ?? 0), 90)
      const before = yield* store.list(scope)
      yield* TestClock.adjust("1 hour")
      yield* apply(example)
      expect(yield* store.list(scope)).toEqual(before)
    }).pipe(Effect.provide(services))
  )

  it.effect("the tools of an agent are those of the document, and stay when it does not give them (D-AGENT-8)", () =>
    Effect.gen(function* () {
      const agent = { ref: "g", name: "G", assistant_id: "g" }
      const toolsAfter = Effect.fnUntraced(function* (fields: object) {
        const { accounts } = yield* apply({ accounts: [{ ref: "a", name: "A", agents: [{ ...agent, ...fields }] }] })
        const scope = { accountIds: [AccountId.make(accounts["a"] ?? 0)], teamIds: [] }
        return (yield* (yield* AgentStore).list(scope)).map(({ allowedTools }) => allowedTools)
      })
      expect(yield* toolsAfter({})).toEqual([null])
      expect(yield* toolsAfter({ allowed_tools: ["opt_out", "book"] })).toEqual([["book", "opt_out"]])
      expect(yield* toolsAfter({ name: "H" })).toEqual([["book", "opt_out"]])
      expect(yield* toolsAfter({ allowed_tools: null })).toEqual([null])
      const error = yield* Effect.flip(
        decode({ accounts: [{ ref: "a", name: "A", agents: [{ ...agent, allowed_tools: ["bok"] }] }] })
      )
      expect(FieldProblems.fromIssue(error.issue)).toMatchObject([{ field: "accounts[0].agents[0].allowed_tools[0]" }])
    }).pipe(Effect.provide(services))
  )

  it.effect("the value of a key is printed neither by the document nor by an error", () =>
    Effect.gen(function* () {
      const document = yield* decode(example)
      expect(JSON.stringify(document)).not.toContain("fd_test_acme_full")
      const keys = [{ ref: "k", permissions: [], key: "hunter2" }]
      const error = yield* Effect.flip(decode({ accounts: [{ ref: "a", name: "A", api_keys: keys }] }))
      expect(JSON.stringify(FieldProblems.fromIssue(error.issue))).not.toContain("hunter2")
      const twice = structuredClone(example)
      const [acme] = twice.accounts
      acme?.api_keys.push(...acme.api_keys.map((key) => ({ ...key, ref: "again" })))
      const refused = yield* Effect.flip(apply(twice))
      expect(JSON.stringify(refused)).toContain("accounts[0].api_keys[1].key")
      expect(JSON.stringify(refused)).not.toContain("fd_test_acme_full")
    }).pipe(Effect.provide(services))
  )

  it.effect("a client can come before its partner in the document", () =>
    Effect.gen(function* () {
      const provisioned = yield* apply({
        accounts: [
          { ref: "c", name: "C", role: "client", partner: "p" },
          { ref: "p", name: "P", role: "partner" }
        ]
      })
      const accounts = yield* Accounts
      const client = yield* accounts.get(AccountId.make(provisioned.accounts["c"] ?? 0))
      expect(client.partnerId).toBe(provisioned.accounts["p"])
    }).pipe(Effect.provide(services))
  )

  it.effect("an account is created with its default variables (D-VAR-2)", () =>
    Effect.gen(function* () {
      const provisioned = yield* apply({ accounts: [{ ref: "a", name: "A" }] })
      const variables = yield* Effect.flatMap(ContextVariableStore, (store) =>
        store.list(ownRows(AccountId.make(provisioned.accounts["a"] ?? 0)), Option.none())
      )
      expect(variables.length).toBe(19)
      expect(variables.every((variable) => variable.isDefault)).toBe(true)
    }).pipe(Effect.provide(services))
  )

  it.effect("a document fails with all unknown refs, repeated refs and wrong partners", () =>
    Effect.gen(function* () {
      const problems = yield* problemsOf({
        teams: [
          { ref: "t", name: "T" },
          { ref: "t", name: "T" }
        ],
        accounts: [
          { ref: "a", name: "A", teams: ["x"], partner: "b" },
          { ref: "b", name: "B", role: "client", agents: [{ ref: "g", name: "G", assistant_id: "g", team: "y" }] }
        ]
      })
      expect(problems).toEqual([
        "teams[1].ref",
        "accounts[0].teams[0]",
        "accounts[0].partner",
        "accounts[1].agents[0].team",
        "accounts[1].partner"
      ])
    }).pipe(Effect.provide(services))
  )

  it.effect("a document that fails half-way changes nothing, and the error has the path of the row", () =>
    Effect.gen(function* () {
      yield* apply({
        accounts: [{ ref: "a", name: "A", agents: [{ ref: "g", name: "G", assistant_id: "taken" }] }]
      })
      const problems = yield* problemsOf({
        accounts: [{ ref: "b", name: "B", agents: [{ ref: "h", name: "H", assistant_id: "taken" }] }]
      })
      expect(problems).toEqual(["accounts[0].agents[0].assistant_id"])
      const accounts = yield* Accounts
      expect((yield* accounts.list).map(({ name }) => name)).toEqual(["A"])
    }).pipe(Effect.provide(services))
  )

  it.effect("texts that PostgreSQL cannot store and empty lists of statuses are refused", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        decode({
          teams: [{ ref: "t", name: "\0" }],
          accounts: [
            {
              ref: "a",
              name: "\ud800",
              contact_statuses: [],
              api_keys: [
                { ref: "k", name: "\0", permissions: [], key: "a key of spaces and letters, which no header has" }
              ],
              agents: [{ ref: "g", name: " ", assistant_id: "a\0", model: "\0", voice_id: "\ud800" }]
            }
          ]
        })
      )
      expect(FieldProblems.fromIssue(error.issue).map(({ field }) => field)).toEqual([
        "teams[0].name",
        "accounts[0].name",
        "accounts[0].contact_statuses",
        "accounts[0].api_keys[0].name",
        "accounts[0].api_keys[0].key",
        "accounts[0].agents[0].name",
        "accounts[0].agents[0].assistant_id",
        "accounts[0].agents[0].model",
        "accounts[0].agents[0].voice_id"
      ])
    })
  )

  it.effect("each field with a wrong form is refused with its path", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        decode({
          accounts: [
            { ref: "a", time_zone: "Mars/Base", working_hours: { mon: [["17:00", "09:00"]] } },
            { ref: "b", name: "B", balance: -1, api_keys: [{ ref: "k", permissions: ["can_fly"], key: "short" }] }
          ]
        })
      )
      expect(FieldProblems.fromIssue(error.issue).map(({ field }) => field)).toEqual([
        "accounts[0].name",
        "accounts[0].time_zone",
        "accounts[0].working_hours.mon[0]",
        "accounts[1].balance",
        "accounts[1].api_keys[0].permissions[0]",
        "accounts[1].api_keys[0].key"
      ])
    })
  )

  it.effect("a key or contact beyond a limit is refused with its path, and nothing is created", () =>
    Effect.gen(function* () {
      const key = (ref: string) => ({ ref, permissions: ["*"] })
      const contacts = [{ ref: "jo", phone_numbers: [] }]
      const keys = { accounts: [{ ref: "a", name: "A", api_keys: [key("one"), key("two")] }] }
      expect(yield* Effect.flip(apply(keys))).toMatchObject({
        problems: [{ field: "accounts[0].api_keys[1]", message: "The account has reached its limit of 1 API keys" }]
      })
      expect(yield* problemsOf({ accounts: [{ ref: "a", name: "A", contacts }] })).toEqual(["accounts[0].contacts[0]"])
      expect(yield* (yield* Accounts).list).toEqual([])
      // A key that an earlier run created is not counted again.
      const once = { accounts: [{ ref: "a", name: "A", api_keys: [key("one")] }] }
      yield* apply(once)
      yield* apply(once)
    }).pipe(
      Effect.provide(
        Layer.fresh(services).pipe(
          Layer.provide(Layer.succeed(AccountLimits, { ...defaultLimits, apiKeys: 1, contacts: 0 }))
        )
      )
    )
  )
})
