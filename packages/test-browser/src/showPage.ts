import type { Page } from "playwright-core"

/** Waits until a page of the dashboard has its title, and every part of it has its data. */
export const pageShown = async (page: Page): Promise<void> => {
  await page.getByRole("heading", { level: 1 }).waitFor()
  await page.getByText("Loading", { exact: true }).first().waitFor({ state: "hidden" })
}

/** Opens a page of the dashboard by its address. Resolves once every part of the page has its data. */
export const showPage = async (page: Page, address: string): Promise<void> => {
  await page.goto(address)
  await pageShown(page)
}

/** Signs a person in to the dashboard by a sign-in link. Resolves once the first page is shown. */
export const signInBy = async (page: Page, link: string): Promise<void> => {
  await page.goto(link)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("heading", { name: "Overview" }).waitFor()
}
