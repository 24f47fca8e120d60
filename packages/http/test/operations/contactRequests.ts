import type { Operation } from "@frontdesk/core/access/Permission"
import { type OperationRequest, type Target, team, v1 } from "./OperationRequest.ts"

const contact = (target: Target) => ({
  first_name: `Jo ${target.n}`,
  team_id: team(target),
  phone_numbers: [{ phone_number: `+1202555010${target.n % 3}`, do_not_call: target.n % 5 === 0 }]
})

// Only every fifth request names a number that calls go to, so that most calls are made.
const numbers = ({ n }: Target) => [`+1202555012${n % 3}`, ...(n % 5 === 0 ? [`+1202555010${n % 3}`] : [])]

/** Operations on contacts, on their imports and exports, and on the do-not-call list. */
type ContactOperation = Extract<Operation, `contact${string}` | `doNotCall.${string}`>

/** Returns a request of each operation on contacts. */
export const contactRequests: { readonly [Op in ContactOperation]: (target: Target) => OperationRequest } = {
  "contacts.create": (target) => ({
    method: "POST",
    path: `${v1}/contacts/create`,
    body: contact(target),
    key: `key${target.n % 3}`,
    makes: "contact"
  }),
  "contacts.list": ({ n }) => ({ method: "GET", path: `${v1}/contacts${n % 2 ? "" : "?search=jo"}` }),
  "contacts.get": ({ ids }) => ({ method: "GET", path: `${v1}/contacts/${ids.contact}`, names: ["contact"] }),
  "contacts.put": (target) => ({
    method: "PUT",
    path: `${v1}/contacts/${target.ids.contact}/update`,
    body: contact(target),
    names: ["contact"]
  }),
  "contacts.patch": (target) => ({
    method: "PATCH",
    path: `${v1}/contacts/${target.ids.contact}/update`,
    body: { city: `City ${target.n}`, custom_context: { n: target.n } },
    names: ["contact"]
  }),
  "contacts.deletePhoneNumber": ({ ids }) => ({
    method: "DELETE",
    path: `${v1}/contacts/${ids.contact}/phone-numbers/${ids.phoneNumber}`,
    names: ["contact"]
  }),
  "contacts.delete": ({ ids }) => ({
    method: "DELETE",
    path: `${v1}/contacts/${ids.contact}/delete`,
    names: ["contact"]
  }),
  "contactImports.create": ({ n }) => ({
    method: "POST",
    path: `${v1}/contact-imports/create`,
    body: { on_known: n % 2 ? "update" : "refuse", dry_run: n % 3 === 0 },
    makes: "contactImport"
  }),
  "contactImports.addPart": ({ ids, n }) => ({
    method: "POST",
    path: `${v1}/contact-imports/${ids.contactImport}/parts`,
    body: { number: 1 + (n % 2), csv: `first_name,phone_number\nJo ${n},+1202555010${n % 3}\n` },
    names: ["contactImport"]
  }),
  "contactImports.start": ({ ids }) => ({
    method: "POST",
    path: `${v1}/contact-imports/${ids.contactImport}/start`,
    names: ["contactImport"]
  }),
  "contactImports.cancel": ({ ids }) => ({
    method: "POST",
    path: `${v1}/contact-imports/${ids.contactImport}/cancel`,
    names: ["contactImport"]
  }),
  "contactImports.get": ({ ids }) => ({
    method: "GET",
    path: `${v1}/contact-imports/${ids.contactImport}`,
    names: ["contactImport"]
  }),
  "contactImports.list": () => ({ method: "GET", path: `${v1}/contact-imports` }),
  "contactImports.refused": ({ ids }) => ({
    method: "GET",
    path: `${v1}/contact-imports/${ids.contactImport}/refused`,
    names: ["contactImport"]
  }),
  // `after` is a position and not the id of a record, so a record of another account would say something there.
  "contactExports.page": ({ n }) => ({
    method: "GET",
    path: `${v1}/contacts/export${n % 2 ? "" : "?after=9007199254740991"}`
  }),
  "contactRecords.get": ({ ids }) => ({
    method: "GET",
    path: `${v1}/contacts/${ids.contact}/export`,
    names: ["contact"]
  }),
  "contactErasures.erase": ({ ids }) => ({
    method: "POST",
    path: `${v1}/contacts/${ids.contact}/erase`,
    body: { confirm: true },
    names: ["contact"]
  }),
  "doNotCall.list": ({ n }) => ({
    method: "GET",
    path: `${v1}/do-not-call${n % 2 ? "" : `?phone_number=%2B1202555012${n % 3}`}`
  }),
  "doNotCall.add": (target) => ({
    method: "POST",
    path: `${v1}/do-not-call`,
    body: { phone_numbers: numbers(target) },
    key: `key${target.n % 3}`
  }),
  "doNotCall.remove": (target) => ({
    method: "POST",
    path: `${v1}/do-not-call/remove`,
    body: { phone_numbers: numbers(target) }
  })
}
