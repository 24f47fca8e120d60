import { frontdesk } from "../../../../frontdesk"

export const { GET, POST, PUT, PATCH, DELETE } = frontdesk.next({
  basePath: "/api/voice",
  authenticate: (request) => {
    const account = /(?:^|; )account=(\w+)/.exec(request.headers.get("cookie") ?? "")?.[1] // the program's own session
    return account !== undefined && { accountId: account, permissions: ["*"] }
  }
})
