/** The API key of {@link acme}, with all permissions. */
export const acmeKey = "fd_test_acme_full_0123456789abcdefghijklmnop"

/** A provisioning document with one account that has a team, a key, an agent and a contact. */
export const acme = {
  teams: [{ ref: "sales", name: "Sales" }],
  accounts: [
    {
      ref: "acme",
      name: "Acme",
      teams: ["sales"],
      balance: 100,
      price_per_minute: 0.1,
      time_zone: "America/New_York",
      api_keys: [{ ref: "acme-full", name: "Everything", permissions: ["*"], key: acmeKey }],
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

/** {@link acme} with a second account `other` that has nothing. */
export const acmeAndOther = { ...acme, accounts: [...acme.accounts, { ref: "other", name: "Other" }] }

/** Sends a request to the API with the key of Acme: a POST if there is a body, a GET otherwise. */
export const ask = (url: string, path: string, body?: unknown, key: string = acmeKey): Promise<Response> =>
  fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) })
  })
