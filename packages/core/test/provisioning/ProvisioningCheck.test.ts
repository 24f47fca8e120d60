import { describe, expect, it } from "@effect/vitest"
import * as ProvisioningCheck from "@frontdesk/core/provisioning/ProvisioningCheck"
import { ProvisioningDocument } from "@frontdesk/core/provisioning/ProvisioningDocument"
import * as Schema from "effect/Schema"

const decode = Schema.decodeUnknownSync(ProvisioningDocument)

const problemsOf = (document: unknown) => ProvisioningCheck.check(decode(document))
const fieldsOf = (document: unknown) => problemsOf(document).map(({ field }) => field)

const key = (ref: string, value?: string) => ({ ref, permissions: [], ...(value === undefined ? {} : { key: value }) })
const agent = (ref: string, fields: object = {}) => ({ ref, name: "Ada", assistant_id: `asst_${ref}`, ...fields })
const account = (ref: string, fields: object = {}) => ({ ref, name: "Acme", ...fields })
const secret = "fd_test_acme_full_0123456789abcdefghijklmnop"

describe("ProvisioningCheck", () => {
  it.each([
    ["a ref of two teams", { teams: [account("t"), account("t")] }, "teams[1].ref"],
    ["a ref of two accounts", { accounts: [account("a"), account("a")] }, "accounts[1].ref"],
    [
      "a ref of two keys",
      { accounts: [account("a", { api_keys: [key("k")] }), account("b", { api_keys: [key("k")] })] },
      "accounts[1].api_keys[0].ref"
    ],
    [
      "a value of two keys",
      { accounts: [account("a", { api_keys: [key("k", secret), key("l"), key("m"), key("n", secret)] })] },
      "accounts[0].api_keys[3].key"
    ],
    [
      "a ref of two agents",
      {
        accounts: [
          account("a", { agents: [agent("g")] }),
          account("b", { agents: [agent("g", { assistant_id: "other" })] })
        ]
      },
      "accounts[1].agents[0].ref"
    ],
    [
      "an assistant id of two agents",
      { accounts: [account("a", { agents: [agent("g"), agent("h", { assistant_id: "asst_g" })] })] },
      "accounts[0].agents[1].assistant_id"
    ],
    [
      "a ref of two contacts",
      { accounts: [account("a", { contacts: [{ ref: "c" }] }), account("b", { contacts: [{ ref: "c" }] })] },
      "accounts[1].contacts[0].ref"
    ]
  ])("%s is a problem of the second row", (_, document, field) => {
    const name = field.slice(field.lastIndexOf(".") + 1)
    expect(problemsOf(document)).toEqual([
      { field, code: "invalid_value", message: `Another row of this kind has the same ${name}` }
    ])
  })

  it("rows of different kinds may have the same ref", () => {
    const fields = { api_keys: [key("x")], agents: [agent("x")], contacts: [{ ref: "x" }] }
    expect(problemsOf({ teams: [account("x")], accounts: [account("x", fields)] })).toEqual([])
  })

  it.each([
    ["a client without a partner", account("c", { role: "client" }), ["accounts[1].partner"]],
    ["a client whose partner is null", account("c", { role: "client", partner: null }), ["accounts[1].partner"]],
    ["a client with a partner", account("c", { role: "client", partner: "p" }), []],
    [
      "a client whose partner is not in the document",
      account("c", { role: "client", partner: "x" }),
      ["accounts[1].partner"]
    ],
    [
      "a client whose partner is itself a client",
      account("c", { role: "client", partner: "c" }),
      ["accounts[1].partner"]
    ],
    ["a standard account with a partner", account("c", { partner: "p" }), ["accounts[1].partner"]],
    ["a partner with a partner", account("c", { role: "partner", partner: "p" }), ["accounts[1].partner"]],
    ["a standard account without a partner", account("c"), []]
  ])("%s has the problems %j", (_, row, fields) => {
    expect(fieldsOf({ accounts: [account("p", { role: "partner" }), row] })).toEqual(fields)
  })

  it("a team that the document does not have is a problem of the account or agent that names it", () => {
    const agents = [agent("g", { team: "t" }), agent("h", { team: null }), agent("i", { team: "x" })]
    expect(problemsOf({ teams: [account("t")], accounts: [account("a", { teams: ["t", "x"], agents })] })).toEqual([
      { field: "accounts[0].teams[1]", code: "invalid_value", message: "No team of the document has this ref" },
      { field: "accounts[0].agents[2].team", code: "invalid_value", message: "No team of the document has this ref" }
    ])
  })

  it("an empty document has no problems", () => {
    expect(problemsOf({})).toEqual([])
  })
})
