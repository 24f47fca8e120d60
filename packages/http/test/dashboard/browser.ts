import type { RequestOptions, TestAnswer, TestApi } from "../testApi.ts"

/** Returns the requests of a browser with its cookies, on pages of one server. */
export const makeBrowser = (api: TestApi, { origin = "https://desk.example.com" }: { origin?: string } = {}) => {
  const cookies = new Map<string, string>()

  const keep = (answer: TestAnswer): TestAnswer => {
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/Max-Age=0(?:;|$)/.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }

  /** Returns the header with all cookies. */
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")

  const ask = async (path: string, asked: RequestOptions = {}): Promise<TestAnswer> => {
    const isChange = asked.method !== undefined && asked.method !== "GET"
    return keep(
      await api.ask(path, {
        ...asked,
        headers: {
          host: "desk.example.com",
          ...(cookies.size === 0 ? {} : { cookie: cookie() }),
          ...(isChange ? { origin, "sec-fetch-site": "same-origin" } : {}),
          ...asked.headers
        }
      })
    )
  }

  return {
    ask,
    cookie,
    cookies,
    get: (path: string, headers: RequestOptions["headers"] = {}) => ask(path, { headers }),
    post: (path: string, body?: unknown, headers: RequestOptions["headers"] = {}) =>
      ask(path, { method: "POST", body, headers })
  }
}

/** A browser with its cookies. */
export type Browser = ReturnType<typeof makeBrowser>
