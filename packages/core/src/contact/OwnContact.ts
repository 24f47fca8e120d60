import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { NotOwner, type OwnerAction } from "../access/AccessError.ts"
import { Principal } from "../access/Principal.ts"
import { ownRows, scope } from "../access/Scope.ts"
import type { ContactId } from "./Contact.ts"
import { ContactNotFound } from "./ContactError.ts"
import type { ContactStore } from "./ContactStore.ts"

/**
 * Returns a contact that the caller's account owns. Fails with `NotOwner` for a contact that the caller sees through a team.
 *
 * @param find how the contact is read, such as `contacts.findForUpdate`
 */
export const requireOwn = Effect.fnUntraced(function* (
  contacts: ContactStore["Service"],
  id: ContactId,
  action: OwnerAction,
  find: ContactStore["Service"]["find"] = contacts.find
) {
  const principal = yield* Principal
  const found = yield* find(ownRows(principal.account.id), id)
  if (Option.isSome(found)) return found.value
  if (Option.isSome(yield* contacts.find(scope(principal), id))) return yield* new NotOwner({ action })
  return yield* new ContactNotFound({ contactId: id })
})
