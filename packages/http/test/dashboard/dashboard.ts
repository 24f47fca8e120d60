import type { RateLimiter } from "@frontdesk/core/access/RateLimiter"
import { CurrentDashboardSite } from "@frontdesk/core/people/DashboardSite"
import { BasePath } from "@frontdesk/core/values/BasePath"
import type { DashboardOptions } from "@frontdesk/http/dashboard/DashboardOptions"
import type { StorageLayer } from "@frontdesk/testing/suite/Storage"
import * as Layer from "effect/Layer"
import { expect } from "vitest"
import { makeTestApi, storageLayers, type StorageName, textOf } from "../testApi.ts"
import type { Browser } from "./browser.ts"

/** The origin at which the browsers of tests reach the API. */
export const origin = "https://desk.example.com"

/** Makes an API with a dashboard, an account, and a function that creates a sign-in link. */
export const makeDashboard = async ({
  base = "",
  mount = "/dashboard",
  storage = "memory",
  at = origin,
  limiter,
  ...options
}: {
  base?: string
  mount?: `/${string}`
  storage?: StorageName | StorageLayer<never>
  at?: string | undefined
  limiter?: Layer.Layer<RateLimiter>
} & Partial<DashboardOptions> = {}) => {
  const layer = Layer.mergeAll(
    typeof storage === "string" ? storageLayers[storage] : storage,
    Layer.succeed(BasePath, base),
    Layer.succeed(CurrentDashboardSite, { url: `${at}${base}${mount}`, isPublic: true })
  )
  const api = await makeTestApi(layer, { dashboard: { mount, origin: at, ...options } }, limiter)
  const caller = await api.caller()
  const link = async (body: unknown = { role: "owner", name: "Ada" }) => {
    const { json, status } = await caller.post("/api/v1/dashboard/links", body)
    expect(status).toBe(201)
    return textOf(json["url"]).slice(at.length)
  }
  return { api, caller, link, path: `${base}${mount}` }
}

/** An API with a dashboard. */
export type Dashboard = Awaited<ReturnType<typeof makeDashboard>>

/** Signs in with a link. */
export const signIn = async (browser: Browser, link: string) => {
  const answer = await browser.post(link)
  expect(answer.status).toBe(303)
  return answer
}
