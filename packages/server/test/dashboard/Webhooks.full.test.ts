import { violationsOf } from "@frontdesk/test-browser/accessibility"
import { signInBy } from "@frontdesk/test-browser/showPage"
import { WebhookReceiver } from "@frontdesk/webhook-receiver"
import { beforeAll, expect, it } from "vitest"
import { type Received, receiver } from "../support/http.ts"
import { dashboardForTests, describeInBrowser } from "./describeInBrowser.ts"
import { hasFocus } from "./keyboard.ts"
import { dialogClosed, openSignedIn, problemAt, rowsOf } from "./openDashboard.ts"

/** Returns whether a receiver that knows a secret accepts a request. */
const accepts = async (secret: string, { body, headers }: Received): Promise<boolean> =>
  (await WebhookReceiver.make({ secrets: [secret] }).verify({ body, headers })).ok

describeInBrowser("the pages of webhooks", () => {
  const { api, button, dashboard, dialog, page } = dashboardForTests(() =>
    openSignedIn({ expected: /status of (400|403|404|409|422)/ })
  )
  /** The secret that the page has shown last. */
  let secret = ""

  beforeAll(async () => {
    await dashboard.context.grantPermissions(["clipboard-read", "clipboard-write"])
  })

  const field = (name: string) => dialog().getByLabel(name, { exact: true })
  const deliveries = async () =>
    (await rowsOf(page.getByRole("region", { name: "Deliveries" }))).map(([event, status]) => [
      event?.split("\n")[0],
      status
    ])

  const webhookOf = async (name: string) => {
    const { webhooks } = await api.webhooks.list()
    return webhooks.find((webhook) => webhook.name === name)
  }

  /** Opens the page of the webhook that these tests have created, which sends to a new receiver. */
  const openWith = async (url: string) => {
    const { id = 0 } = (await webhookOf("CRM")) ?? {}
    await api.webhooks.patch(id, { url })
    await dashboard.open(`/webhooks/${id}`)
    return id
  }

  /** Returns the secret in the open dialog, and closes the dialog. */
  const storeSecret = async () => {
    secret = (await dialog().getByRole("code").textContent()) ?? ""
    expect(secret).toMatch(/^whsec_/)
    await button("Copy").click()
    await button("Copied").waitFor()
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(secret)
    // Only the answer closes the dialog, because no later one shows the secret.
    await page.keyboard.press("Escape")
    await page.keyboard.press("Escape")
    expect(await dialog().getByRole("code").textContent()).toBe(secret)
    await button("I have stored it").click()
    await dialogClosed(page)
    expect(await page.content()).not.toContain(secret)
    return secret
  }

  it("creates a webhook, after it has shown at its field that the URL is wrong, and shows the secret once", async () => {
    await dashboard.open("/webhooks")
    await button("Create a webhook").click()
    await field("Name").fill("CRM")
    await field("URL").fill("ftp://example.com/hooks")
    await field("call.tool").uncheck()
    await button("Create").click()
    expect(await problemAt(field("URL"))).toBe("The URL must begin with https://.")
    expect(await hasFocus(page, field("URL"))).toBe(true)
    expect(await field("URL").inputValue()).toBe("ftp://example.com/hooks")
    expect(await field("call.tool").isChecked()).toBe(false)
    await field("URL").fill("http://127.0.0.1:1/hooks")
    await button("Create").click()
    await dialog().getByRole("heading", { name: "Webhook created" }).waitFor()
    await storeSecret()
    const created = await webhookOf("CRM")
    expect(created).toMatchObject({ url: "http://127.0.0.1:1/hooks", is_active: true, status: "active" })
    expect(created?.subscribed_events).toHaveLength(11)
    expect(created?.subscribed_events).not.toContain("call.tool")
    await page.getByRole("link", { name: "CRM" }).waitFor()
  })

  it("sends a test, which the secret verifies, and lists its delivery", async () => {
    const { received, url } = await receiver(204)
    const id = await openWith(url)
    await button("Send a test").click()
    await expect.poll(() => received.length).toBe(1)
    expect(received[0] !== undefined && (await accepts(secret, received[0]))).toBe(true)
    await expect
      .poll(async () => (await api.webhooks.deliveries(id)).deliveries)
      .toMatchObject([{ event_type: "webhook.test", status: "delivered" }])
    await expect.poll(deliveries).toEqual([["webhook.test", "Delivered"]])
  })

  it.each([
    ["works for another hour", true],
    ["stops at once", false]
  ])("replaces the secret, and the previous one %s", async (choice, isAccepted) => {
    const { received, url } = await receiver(204)
    const id = await openWith(url)
    const previous = secret
    await button("Replace the secret").click()
    await field("The previous secret").selectOption(choice)
    await button("Replace").click()
    await dialog().getByRole("heading", { name: "New secret" }).waitFor()
    expect(await storeSecret()).not.toBe(previous)
    await api.webhooks.test(id)
    await expect.poll(() => received.length).toBe(1)
    const [request] = received
    if (request === undefined) throw new Error("The receiver has no request")
    expect([await accepts(secret, request), await accepts(previous, request)]).toEqual([true, isAccepted])
  })

  it("selects a secret where the browser lets the page copy nothing, as over http", async () => {
    await openWith("http://127.0.0.1:1/hooks")
    await button("Replace the secret").click()
    await button("Replace").click()
    await dialog().getByRole("heading", { name: "New secret" }).waitFor()
    await page.evaluate(`Object.defineProperty(navigator, "clipboard", { value: undefined })`)
    await button("Copy").click()
    await expect
      .poll(() => page.evaluate("getSelection().toString()"))
      .toBe(await dialog().getByRole("code").textContent())
    expect(await button("Copied").count()).toBe(0)
    await button("I have stored it").click()
  })

  it("changes a webhook, and turns it off and on", async () => {
    const id = await openWith("http://127.0.0.1:1/hooks")
    await button("Change").click()
    await field("Name").fill("CRM")
    await field("URL").fill("http://127.0.0.1:1/other")
    await field("call.started").uncheck()
    await field("Deliver events to it").uncheck()
    await button("Save").click()
    await dialogClosed(page)
    expect(await api.webhooks.get(id)).toMatchObject({
      url: "http://127.0.0.1:1/other",
      is_active: false,
      status: "disabled"
    })
    expect((await api.webhooks.get(id)).subscribed_events).not.toContain("call.started")
    await page.getByText("Disabled").waitFor()
    expect(await button("Send a test").isDisabled()).toBe(true)
    await button("Change").click()
    expect(await field("call.started").isChecked()).toBe(false)
    await field("Deliver events to it").check()
    await button("Save").click()
    await dialogClosed(page)
    expect(await api.webhooks.get(id)).toMatchObject({ is_active: true, status: "active" })
    expect(await button("Send a test").isEnabled()).toBe(true)
  })

  it("sends nothing to a webhook that is turned off, says so, and turns it on", async () => {
    const example = await webhookOf("Example receiver")
    const id = example?.id ?? 0
    await api.webhooks.patch(id, { is_active: false })
    const failed = (await api.webhooks.deliveries(id, { status: "failed" })).deliveries[0]
    const off = page.getByText("This webhook is turned off. It receives nothing, and nothing can be sent to it again.")
    await dashboard.open(`/webhooks/${id}/deliveries/${failed?.id}`)
    await off.waitFor()
    expect(await button("Send again").isDisabled()).toBe(true)
    expect(await violationsOf(page)).toEqual([])
    await dashboard.open(`/webhooks/${id}`)
    await off.waitFor()
    for (const name of ["Send a test", "Send all failed again", /^Send again: /])
      expect([name, await button(name).first().isDisabled()]).toEqual([name, true])
    await button("Turn on").click()
    await off.waitFor({ state: "detached" })
    expect(await api.webhooks.get(id)).toMatchObject({ is_active: true })
    expect(await button("Send all failed again").isEnabled()).toBe(true)
  })

  it("says when a webhook is left without an event", async () => {
    const id = await openWith("http://127.0.0.1:1/hooks")
    const { subscribed_events: before } = await api.webhooks.get(id)
    await button("Change").click()
    for (const name of before) await field(name).uncheck()
    await button("Save").click()
    await dialog().getByRole("group", { name: "Events" }).getByRole("alert").waitFor()
    await button("Cancel").click()
    await dialogClosed(page)
    expect((await api.webhooks.get(id)).subscribed_events).toEqual(before)
  })

  it("sends a failed delivery again", async () => {
    const { received, url } = await receiver(204)
    const example = await webhookOf("Example receiver")
    const id = example?.id ?? 0
    await api.webhooks.patch(id, { url, is_active: true })
    await dashboard.open(`/webhooks/${id}`)
    await page.getByLabel("Status").selectOption("Failed")
    const { count, deliveries: failed } = await api.webhooks.deliveries(id, { status: "failed" })
    await page.getByText(`${count} deliveries`, { exact: true }).waitFor()
    const [first] = failed
    await button(new RegExp(`^Send again: ${first?.event_type}, `))
      .first()
      .click()
    await expect.poll(() => received.length).toBe(1)
    expect(received[0]?.headers["webhook-id"]).toBe(first?.id)
    await expect
      .poll(async () => (await api.webhooks.deliveries(id)).deliveries.find((one) => one.id === first?.id))
      .toMatchObject({ status: "delivered", attempts: [{ status_code: 500 }, { status_code: 204, kind: "manual" }] })
    await page.getByText(`${count - 1} deliveries`, { exact: true }).waitFor()
    await page.getByLabel("Status").selectOption("Delivered")
    await expect
      .poll(async () => new Set((await deliveries()).map(([, status]) => status)))
      .toEqual(new Set(["Delivered"]))
    await page
      .getByRole("row", { name: /2 attempts, the last answered 204/ })
      .getByRole("link")
      .click()
    await page.getByRole("heading", { level: 1, name: "Delivery" }).waitFor()
    await expect
      .poll(async () =>
        (await rowsOf(page.getByRole("region", { name: "Attempts" }))).map(([, , answer, , by]) => [answer, by])
      )
      .toEqual([
        ["the receiver answered 500", "Frontdesk"],
        ["204", "A person"]
      ])
  })

  it("sends all failed deliveries since a time again", async () => {
    const { received, url } = await receiver(204)
    const example = await webhookOf("Example receiver")
    const id = example?.id ?? 0
    await api.webhooks.patch(id, { url, is_active: true })
    const { count: failed } = await api.webhooks.deliveries(id, { status: "failed" })
    expect(failed).toBeGreaterThan(1)
    await dashboard.open(`/webhooks/${id}`)
    await button("Send all failed again").click()
    expect(await violationsOf(page)).toEqual([])
    await field("Events since").fill("2100-01-01T00:00")
    await dialog().getByRole("button", { name: "Send again" }).click()
    await page.getByText("No delivery has failed since that time.").waitFor()
    await button("Send all failed again").click()
    await field("Events since").fill("2020-01-01T00:00")
    await dialog().getByRole("button", { name: "Send again" }).click()
    await page.getByText(`${failed} deliveries are sent again, once each.`).waitFor()
    await expect.poll(() => received.length).toBe(failed)
    await expect.poll(async () => (await api.webhooks.deliveries(id, { status: "failed" })).count).toBe(0)
  })

  it("shows what was sent, and whether a secret makes its signature", async () => {
    const { url } = await receiver(204)
    const { id, secret: own } = await api.webhooks.create({ name: "Checked", url, subscribed_events: ["call.ended"] })
    const { delivery_id: deliveryId } = await api.webhooks.test(id)
    await expect.poll(async () => (await api.webhooks.delivery(id, deliveryId)).status).toBe("delivered")
    await dashboard.open(`/webhooks/${id}/deliveries/${deliveryId}`)
    await page.getByText(`POST ${url}`).waitFor()
    const { request } = await api.webhooks.delivery(id, deliveryId)
    for (const value of Object.values(request.headers)) await page.getByText(value).first().waitFor()
    await page.getByText(request.body, { exact: true }).waitFor()
    const secretField = page.getByLabel("Secret", { exact: true })
    await secretField.fill("whsec_other")
    await button("Check").click()
    await page.getByText(/^This secret makes another signature/).waitFor()
    await secretField.fill(own ?? "")
    await button("Check").click()
    await page.getByText("This secret makes the signature of this request.").waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.setViewportSize({ width: 320, height: 800 })
    expect((await button("Copy").boundingBox())?.height).toBeLessThan(50)
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320)
    await page.setViewportSize({ width: 1400, height: 1000 })
  })

  it("says that a webhook or a delivery does not exist, and leads to the list", async () => {
    const { id = 0 } = (await webhookOf("CRM")) ?? {}
    for (const [path, title] of [
      ["/webhooks/999999", "No such webhook"],
      ["/webhooks/nonsense", "No such webhook"],
      [`/webhooks/${id}/deliveries/018f0000-0000-7000-8000-000000000000`, "No such delivery"]
    ] as const) {
      await dashboard.open(path)
      const alert = page.getByRole("alert")
      await alert.getByText(title, { exact: true }).waitFor()
      expect(await button("Try again").count()).toBe(0)
      expect(await violationsOf(page)).toEqual([])
      await alert.getByRole("link", { name: "All webhooks" }).click()
      await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor()
    }
  })

  it("deletes a webhook after a confirmation", async () => {
    const id = await openWith("http://127.0.0.1:1/hooks")
    await button("Delete").click()
    await button("Cancel").click()
    expect(await api.webhooks.get(id)).toMatchObject({ name: "CRM" })
    await button("Delete").click()
    await dialog().getByRole("button", { name: "Delete" }).click()
    await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor()
    await page.getByRole("link", { name: "Example receiver" }).waitFor()
    await expect.poll(() => page.getByRole("link", { name: "CRM" }).count()).toBe(0)
    await expect(api.webhooks.get(id)).rejects.toMatchObject({ code: "not_found" })
  })

  it("tells a viewer without webhooks who can create one", async () => {
    const { webhooks } = await api.webhooks.list()
    for (const { id } of webhooks) await api.webhooks.delete(id)
    await dashboard.open("/webhooks")
    await page
      .getByText("Create one, and a program of yours learns of calls and appointments as they happen.")
      .waitFor()
    const { url } = await api.signInLinks.create({ role: "viewer", name: "Vera" })
    await signInBy(page, new URL(url ?? "", dashboard.server.url).href)
    await dashboard.open("/webhooks")
    await page.getByText("An editor or an owner of the account can create one.").waitFor()
    expect(await button("Create a webhook").count()).toBe(0)
  })

  it("causes no error in the browser", () => {
    expect(dashboard.watched).toMatchObject({ errors: [], otherRequests: [] })
  })
})
