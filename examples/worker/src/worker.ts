import { LazyFrontdesk } from "@frontdesk/embed"

// A Worker runs nothing when it is loaded, so Frontdesk is opened by the first request.
const frontdesk = new LazyFrontdesk({ storage: { memory: true }, workers: false })

const api = frontdesk.fetch({
  basePath: "/voice",
  authenticate: (request) =>
    request.headers.get("x-user") === "jo" && { accountId: "acme", permissions: ["*"], rateKey: "user:jo" }
})

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith("/voice/")) return api(request)
    if (pathname !== "/setup") return new Response("Not here", { status: 404 })
    const { accounts } = await (await frontdesk.get()).provision({ accounts: [{ ref: "acme", name: "Acme" }] })
    return Response.json(accounts)
  }
}
