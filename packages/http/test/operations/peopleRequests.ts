import type { Operation } from "@frontdesk/core/access/Permission"
import { type OperationRequest, type Target, v1 } from "./OperationRequest.ts"

/** The requests of the operations about the caller, members, sessions and sign-in links. */
export const peopleRequests = {
  "caller.get": () => ({ method: "GET", path: `${v1}/caller` }),
  "caller.sessions": () => ({ method: "GET", path: `${v1}/caller/sessions` }),
  "members.list": () => ({ method: "GET", path: `${v1}/members` }),
  "members.get": ({ ids }) => ({ method: "GET", path: `${v1}/members/${ids.member}`, names: ["member"] }),
  "members.create": ({ n }) => ({
    method: "POST",
    path: `${v1}/members/create`,
    body: { email: `jo${n % 7}@example.com`, name: `Jo ${n}`, role: (["owner", "editor", "viewer"] as const)[n % 3] },
    ...(n % 2 === 0 ? { key: `key${n % 4}` } : {}),
    makes: "member"
  }),
  "members.patch": ({ ids, n }) => ({
    method: "PATCH",
    path: `${v1}/members/${ids.member}/update`,
    body: n % 2 === 0 ? { name: `Max ${n}` } : { role: n % 3 === 0 ? "editor" : "viewer" },
    names: ["member"]
  }),
  "members.delete": ({ ids }) => ({ method: "DELETE", path: `${v1}/members/${ids.member}/delete`, names: ["member"] }),
  "sessions.list": ({ n }) => ({ method: "GET", path: `${v1}/sessions${n % 2 ? "" : "?limit=5"}` }),
  "sessions.delete": ({ ids }) => ({
    method: "DELETE",
    path: `${v1}/sessions/${ids.session}/delete`,
    names: ["session"]
  }),
  "sessions.deleteAll": ({ ids, n }) => ({
    method: "POST",
    path: `${v1}/sessions/delete`,
    ...(n % 2 === 0 ? { body: {} } : { body: { member_id: Number(ids.member) }, names: ["member"] })
  }),
  "signInLinks.list": () => ({ method: "GET", path: `${v1}/dashboard/links` }),
  "signInLinks.create": ({ n }) => ({
    method: "POST",
    path: `${v1}/dashboard/links`,
    body: { role: n % 2 === 0 ? "viewer" : "editor", name: `Jo ${n}`, user_id: `u${n}`, expires_in_minutes: 10 },
    makes: "link"
  }),
  "signInLinks.delete": ({ ids }) => ({
    method: "DELETE",
    path: `${v1}/dashboard/links/${ids.link}/delete`,
    names: ["link"]
  })
} as const satisfies { readonly [Op in Operation]?: (target: Target) => OperationRequest }
