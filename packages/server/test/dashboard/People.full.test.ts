import { DatabaseSync } from "node:sqlite"
import { violationsOf } from "@frontdesk/test-browser/accessibility"
import type { OpenBrowser, Page } from "@frontdesk/test-browser/browser"
import { signInBy } from "@frontdesk/test-browser/showPage"
import { afterAll, beforeAll, expect, it } from "vitest"
import { dashboardForTests, describeInBrowser } from "./describeInBrowser.ts"
import { dialogClosed, openTestBrowser, problemAt, rowsOf, sent } from "./openDashboard.ts"

describeInBrowser("the page of people", () => {
  const { api, button, dashboard, dialog, page } = dashboardForTests()
  let otherBrowser: OpenBrowser
  /** A page of another browser, in which the invited person signs in. */
  let other: Page

  beforeAll(async () => {
    otherBrowser = await openTestBrowser()
    other = await otherBrowser.context.newPage()
  })
  afterAll(() => otherBrowser.close())

  const field = (name: string) => dialog().getByLabel(name, { exact: true })
  const confirm = (label: string) => dialog().getByRole("button", { name: label, exact: true }).click()
  const names = async (table: string) =>
    (await rowsOf(page.getByRole("region", { name: table, exact: true }))).map(([name]) => name?.split("\n")[0]?.trim())

  const annOf = async () => {
    const { members } = await api.members.list()
    return members.find(({ email }) => email === "ann@example.com")
  }
  /** Returns the sessions of the invited person. */
  const sessionsOfAnn = async () => (await api.sessions.list({})).sessions.filter(({ name }) => name === "Ann Lee")

  /** Returns the link in the open dialog, and closes the dialog. */
  const takeLink = async () => {
    await dialog().getByRole("heading", { name: "Sign-in link created" }).waitFor()
    const link = (await dialog().getByRole("code").textContent()) ?? ""
    await button("I have copied it").click()
    await dialogClosed(page)
    expect(await page.content()).not.toContain(link)
    return link
  }

  /** Opens another page in the other browser, and waits until it has found that no person is signed in. */
  const expectOtherSignedOut = async () => {
    await other.getByRole("link", { name: "Contacts" }).first().click()
    await other.getByRole("heading", { name: "Not signed in" }).waitFor()
  }

  const signInOther = async () => {
    await dashboard.open("/settings/people")
    await button("Sign-in link for Ann Lee").click()
    await field("The link works for").selectOption("15 minutes")
    await button("Create").click()
    const link = await takeLink()
    await signInBy(other, link)
    return link
  }

  it("invites a person, after it has shown at its field that the address is wrong", async () => {
    await dashboard.open("/settings/people")
    await button("Invite a person").click()
    await field("Name").fill("Ann Lee")
    await field("E-mail address").fill("ann@example")
    await button("Add").click()
    expect(await problemAt(field("E-mail address"))).not.toBe("")
    expect(await field("Name").inputValue()).toBe("Ann Lee")
    await field("E-mail address").fill("ann@example.com")
    await button("Add").click()
    await dialog().getByText("Ann Lee was added and needs a sign-in link.").waitFor()
    await confirm("Create a sign-in link")
    await button("Create").click()
    const link = await takeLink()
    expect(await annOf()).toMatchObject({ name: "Ann Lee", role: "editor", last_sign_in_at: null })
    expect(await names("Members")).toEqual(["Ann Lee"])
    expect(await names("Open sign-in links")).toEqual(["Ann Lee"])
    await signInBy(other, link)
    expect((await annOf())?.last_sign_in_at).toMatch(/^20/)
    expect(await other.getByRole("link", { name: "API keys" }).count()).toBe(0)
    await button("Invite a person").click()
    await field("Name").fill("Ann again")
    await field("E-mail address").fill("ANN@example.com")
    await button("Add").click()
    await dialog().getByRole("alert").waitFor()
    expect(await field("Name").inputValue()).toBe("Ann again")
    await button("Cancel").click()
    expect(await api.members.list()).toMatchObject({ count: 1 })
  })

  it("gives a person a role that may do less at once, and ends the sessions of one that may do more", async () => {
    const ann = await annOf()
    await dashboard.open("/settings/people")
    const change = async (role: string) => {
      await button("Change Ann Lee").click()
      await field("Role").selectOption(role)
      return sent(page, "PATCH", `/members/${ann?.id}/update`, () => confirm("Save"))
    }
    expect(await change("Viewer")).toEqual({ role: "viewer" })
    await dialogClosed(page)
    expect(await annOf()).toMatchObject({ role: "viewer" })
    await other.reload()
    await other.getByText("read only", { exact: true }).first().waitFor()
    await other.getByRole("link", { name: "Contacts" }).first().click()
    await other.getByRole("link", { name: "Jo Miller" }).waitFor()
    expect(await other.getByRole("button", { name: "Create a contact" }).count()).toBe(0)
    await change("Owner")
    await dialogClosed(page)
    expect(await annOf()).toMatchObject({ role: "owner" })
    expect(await sessionsOfAnn()).toEqual([])
    await other.getByRole("link", { name: "Calls" }).first().click()
    await other.getByRole("heading", { name: "Not signed in" }).waitFor()
  })

  it("keeps the only owner of the account, and says why", async () => {
    await dashboard.open("/settings/people")
    await button("Remove Ann Lee").click()
    await confirm("Remove")
    await dialog().getByRole("alert").waitFor()
    expect(await dialog().getByRole("alert").textContent()).toMatch(/owner/)
    await button("Cancel").click()
    await button("Change Ann Lee").click()
    await field("Role").selectOption("Viewer")
    await confirm("Save")
    await dialog().getByRole("alert").waitFor()
    expect(await field("Role").inputValue()).toBe("viewer")
    expect(await annOf()).toMatchObject({ role: "owner" })
  })

  it("shows many members in pages, and finds one by a part of the name or the address", async () => {
    for (let number = 1; number <= 30; number += 1)
      await api.members.create({ name: `Guest ${number}`, email: `guest${number}@example.org`, role: "viewer" })
    const { count } = await api.members.list()
    await dashboard.open("/settings/people")
    await page.getByText(`${count} members · page 1 of 2`).waitFor()
    const first = await names("Members")
    expect(first).toHaveLength(25)
    await page.getByRole("navigation", { name: "Pages of members" }).getByRole("button", { name: "Next" }).click()
    await page.getByText(`${count} members · page 2 of 2`).waitFor()
    expect((await names("Members")).filter((name) => first.includes(name))).toEqual([])
    const search = page.getByRole("searchbox", { name: "Name or e-mail address" })
    await search.fill("GUEST27@example")
    await expect.poll(() => names("Members")).toEqual(["Guest 27"])
    await search.fill("another name")
    await page.getByText("No member has this name or address").waitFor()
    expect(await violationsOf(page)).toEqual([])
    for (const { email, id } of (await api.members.list()).members)
      if (email.endsWith("@example.org")) await api.members.delete(id)
  })

  it("signs a person in with a link that works once", async () => {
    const link = await signInOther()
    const [session] = await sessionsOfAnn()
    expect(session).toMatchObject({ role: "owner" })
    await page.goto(link)
    await button("Sign in").click()
    await page.getByRole("heading", { name: "Link not valid" }).waitFor()
    expect(await sessionsOfAnn()).toHaveLength(1)
  })

  it("refuses a link that has expired, and says what to do", async () => {
    const { id, url } = await api.signInLinks.create({ role: "viewer", name: "Late Guest" })
    const database = new DatabaseSync(dashboard.database, { timeout: 5_000 })
    database.prepare("UPDATE sign_in_link SET expires_at = 1 WHERE id = ?").run(id)
    database.close()
    await other.goto(url ?? "")
    await other.getByRole("button", { name: "Sign in" }).click()
    await other.getByRole("heading", { name: "Link not valid" }).waitFor()
    await other.getByText("This sign-in link was used, has expired or does not exist. Ask for a new one.").waitFor()
    expect((await api.sessions.list({})).sessions.filter(({ name }) => name === "Late Guest")).toEqual([])
    await dashboard.open("/settings/people")
    expect(await names("Open sign-in links")).not.toContain("Late Guest")
    await signInOther()
  })

  it("ends one session, whose browser is signed out at once", async () => {
    await dashboard.open("/settings/people")
    expect(new Set(await names("Sessions"))).toEqual(new Set(["Ann Lee", "Demo This browser"]))
    await button(/^End the session of Ann Lee/).click()
    await confirm("End")
    await dialogClosed(page)
    expect(await sessionsOfAnn()).toEqual([])
    await expectOtherSignedOut()
    await expect.poll(() => names("Sessions")).toEqual(["Demo This browser"])
  })

  it("signs a person out everywhere", async () => {
    await signInOther()
    await dashboard.open("/settings/people")
    await button("Sign out Ann Lee everywhere").click()
    await confirm("Sign out")
    await dialogClosed(page)
    expect(await sessionsOfAnn()).toEqual([])
    await expectOtherSignedOut()
  })

  it("creates a link for a person who is not a member, and deletes it", async () => {
    await dashboard.open("/settings/people")
    await button("Create a sign-in link").click()
    await field("Name (optional)").fill("Auditor")
    await field("Role").selectOption("Viewer")
    await field("The link works for").selectOption("7 days")
    await button("Create").click()
    const link = await takeLink()
    const [open] = (await api.signInLinks.list()).links
    expect(open).toMatchObject({ name: "Auditor", role: "viewer", member_id: null })
    expect(Date.parse(open?.expires_at ?? "") - Date.parse(open?.created_at ?? "")).toBe(7 * 86_400_000)
    await button(/^Delete the link for Auditor/).click()
    await confirm("Delete")
    await dialogClosed(page)
    expect(await api.signInLinks.list()).toMatchObject({ links: [] })
    await page.getByText("No open links").waitFor()
    await other.goto(link)
    await other.getByRole("button", { name: "Sign in" }).click()
    await other.getByRole("heading", { name: "Link not valid" }).waitFor()
  })

  it("signs everybody out, also the person who does it", async () => {
    await signInOther()
    await dashboard.open("/settings/people")
    await button("Sign everybody out").click()
    await confirm("Sign everybody out")
    await page.getByRole("heading", { name: "Not signed in" }).waitFor()
    await expectOtherSignedOut()
    expect(await api.sessions.list({})).toMatchObject({ sessions: [] })
  })

  it("signs the person of this browser out in every browser", async () => {
    const { id: member_id = 0 } = (await annOf()) ?? {}
    for (const one of [page, other]) {
      const { url } = await api.signInLinks.create({ member_id })
      await signInBy(one, new URL(url ?? "", dashboard.server.url).href)
    }
    await dashboard.open("/settings/people")
    const own = page.getByRole("region", { name: "Where you are signed in" })
    await expect.poll(() => rowsOf(own)).toHaveLength(2)
    await button("Sign out everywhere").click()
    await page.getByRole("dialog").getByRole("button", { name: "Sign out", exact: true }).click()
    await page.getByRole("heading", { name: "Not signed in" }).waitFor()
    await expectOtherSignedOut()
    expect(await sessionsOfAnn()).toEqual([])
  })

  it("removes a person, who is signed out at once and whose open links stop working", async () => {
    const { id: member_id = 0 } = (await annOf()) ?? {}
    const { id: guest } = await api.members.create({ name: "Bo Guest", email: "bo@example.com", role: "viewer" })
    const linkOf = async (member: number) => {
      const { url } = await api.signInLinks.create({ member_id: member })
      return new URL(url ?? "", dashboard.server.url).href
    }
    await signInBy(page, await linkOf(member_id))
    await signInBy(other, await linkOf(guest))
    const open = await linkOf(guest)
    await dashboard.open("/settings/people")
    await button("Remove Bo Guest").click()
    await confirm("Remove")
    await dialogClosed(page)
    await expect(api.members.get(guest)).rejects.toMatchObject({ code: "not_found" })
    await expect.poll(() => names("Members")).toEqual(["Ann Lee You"])
    await expectOtherSignedOut()
    await other.goto(open)
    await other.getByRole("button", { name: "Sign in" }).click()
    await other.getByRole("heading", { name: "Link not valid" }).waitFor()
  })

  it("signs out", async () => {
    expect(await sessionsOfAnn()).toHaveLength(1)
    await dashboard.open("/")
    await button("Sign out").first().click()
    await page.getByRole("heading", { name: "Not signed in" }).waitFor()
    expect(await sessionsOfAnn()).toEqual([])
    await page.goBack()
    await page.getByRole("heading", { name: "Not signed in" }).waitFor()
  })

  it("causes no error in the browser", () => {
    expect(dashboard.watched).toMatchObject({ errors: [], otherRequests: [] })
  })
})
