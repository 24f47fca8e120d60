/** A caller of the API. */
export interface Caller {
  /** The value of the header `Authorization`; null for none. */
  readonly authorization: string | null
  /** Whether it may read everything of its account. Only then are its lists checked. */
  readonly isComplete: boolean
}

const key = (name: string): string => `fd_test_fuzz_${name}_0123456789abcdefghijklmnop`

const agent = (index: number, team: string) => ({
  ref: `agent-${index}`,
  name: `Agent ${index}`,
  role: "outbound agent",
  assistant_id: `asst_${index}`,
  phone_number: `+1202555010${index}`,
  model: "gpt-x",
  voice_id: "v1",
  team
})

const account = (ref: string, role: string, teams: ReadonlyArray<string>) => ({
  ref,
  name: ref,
  role,
  teams,
  balance: 1_000_000,
  price_per_minute: 0.1,
  time_zone: "America/New_York",
  api_keys: [{ ref: `${ref}-full`, name: "Everything", permissions: ["*"], key: key(ref) }]
})

/** The provisioning document of the installation: accounts of every role, two of which share a team. */
export const document = {
  teams: [
    { ref: "sales", name: "Sales" },
    { ref: "support", name: "Support" }
  ],
  accounts: [
    {
      ...account("standard", "standard", ["sales"]),
      agents: [agent(0, "sales")],
      contacts: [{ ref: "jo", first_name: "Jo", phone_numbers: [{ phone_number: "+12025550111", primary: true }] }]
    },
    { ...account("partner", "partner", ["sales", "support"]), agents: [agent(1, "support")] },
    {
      ...account("client", "client", []),
      partner: "partner",
      api_keys: [
        { ref: "client-full", name: "Everything", permissions: ["*"], key: key("client") },
        { ref: "client-read", name: "Contacts", permissions: ["can_read_contacts"], key: key("limited") }
      ]
    }
  ]
}

const bearer = (name: string, isComplete: boolean): Caller => ({ authorization: `Bearer ${key(name)}`, isComplete })

/** A caller with every permission for each account. They are the first of {@link callers}. */
export const complete = ["standard", "partner", "client"].map((name) => bearer(name, true))

/** The callers that send the requests. Most of them have every permission. */
export const callers: ReadonlyArray<Caller> = [
  ...complete,
  ...complete,
  ...complete,
  ...complete,
  bearer("limited", false),
  bearer("unknown", false),
  { authorization: "Basic Zm9vOmJhcg==", isComplete: false },
  { authorization: null, isComplete: false }
]
