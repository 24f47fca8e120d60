import { ownRows } from "@frontdesk/core/access/Scope"
import type { AccountId } from "@frontdesk/core/access/Account"
import type { ContactId } from "@frontdesk/core/contact/Contact"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import { DoNotCallStore } from "@frontdesk/core/contact/DoNotCallStore"
import * as Page from "@frontdesk/core/values/Page"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { filterPage, justBefore, mutantsOf, rememberOwners, reversedPage, wholeSeconds, withoutLock } from "./Mutant.ts"

/** Mutants of `ContactStore`. */
export const contactStore = mutantsOf(ContactStore, {
  "insert stores empty texts as null": (store) => ({
    insert: (contact) => store.insert({ ...contact, email: contact.email === "" ? null : contact.email })
  }),
  "insert stores the creation time in whole seconds": (store) => ({
    insert: (contact) => store.insert({ ...contact, createdAt: wholeSeconds(contact.createdAt) })
  }),
  "insert sorts the tags": (store) => ({
    insert: (contact) => store.insert({ ...contact, tags: contact.tags.toSorted() })
  }),
  "insert does not store the industry context": (store) => ({
    insert: (contact) => store.insert({ ...contact, industryContext: {} })
  }),
  "insert normalizes texts": (store) => ({
    insert: (contact) => store.insert({ ...contact, firstName: contact.firstName?.normalize("NFC") ?? null })
  }),
  "insert uses the ids of deleted contacts again": (store) => {
    let free: ContactId | undefined
    return {
      delete: (scope, id) =>
        Effect.tap(store.delete(scope, id), () =>
          Effect.sync(() => {
            free = id
          })
        ),
      insert: (contact) => Effect.map(store.insert(contact), (stored) => ({ ...stored, id: free ?? stored.id }))
    }
  },
  "insert does not add flagged numbers to the do-not-call list": (store) => ({
    insert: (contact) =>
      store.insert({
        ...contact,
        phoneNumbers: contact.phoneNumbers.map((number) => ({ ...number, doNotCall: false }))
      })
  }),
  "insert does not show the flag of a number on the list": (store) => ({
    insert: (contact) =>
      Effect.map(store.insert(contact), (stored) => ({
        ...stored,
        phoneNumbers: stored.phoneNumbers.map((number, index) => ({
          ...number,
          doNotCall: contact.phoneNumbers[index]?.doNotCall ?? false
        }))
      }))
  }),
  "idsByEmail returns one contact": (store) => ({
    idsByEmail: (accountId, email) => Effect.map(store.idsByEmail(accountId, email), (ids) => ids.slice(0, 1))
  }),
  "idsByEmail returns the newest contact first": (store) => ({
    idsByEmail: (accountId, email) => Effect.map(store.idsByEmail(accountId, email), (ids) => ids.toReversed())
  }),
  "idsByEmail finds nothing": () => ({ idsByEmail: () => Effect.succeed([]) }),
  "listAfter starts at the first contact": (store) => ({
    listAfter: (accountId, _, limit) => store.listAfter(accountId, null, limit)
  }),
  "listAfter ignores the limit": (store) => ({
    listAfter: (accountId, after) => store.listAfter(accountId, after, 1_000)
  }),
  "listAfter returns the newest contact first": (store) => ({
    listAfter: (accountId, after, limit) =>
      Effect.map(store.listAfter(accountId, after, limit), (found) => found.toReversed())
  }),
  "listAfter leaves out the contexts": (store) => ({
    listAfter: (accountId, after, limit) =>
      Effect.map(store.listAfter(accountId, after, limit), (found) =>
        found.map((contact) => ({ ...contact, customContext: {} }))
      )
  }),
  "find ignores the scope": (store) => {
    const { insert, ownerOf } = rememberOwners(store.insert)
    return { insert, find: (scope, id) => store.find({ ...scope, accountId: ownerOf(id, scope.accountId) }, id) }
  },
  "find leaves out the contacts of the teams": (store) => ({
    find: (scope, id) => store.find({ ...scope, teamIds: [] }, id)
  }),
  "findForUpdate ignores the scope": (store) => {
    const { insert, ownerOf } = rememberOwners(store.insert)
    return {
      insert,
      findForUpdate: (scope, id) => store.findForUpdate({ ...scope, accountId: ownerOf(id, scope.accountId) }, id)
    }
  },
  "findForUpdate does not lock the contact": (store) => ({ findForUpdate: withoutLock(store.findForUpdate) }),
  "update gives every number a new id": (store) => ({
    update: (contact) =>
      store.update({ ...contact, phoneNumbers: contact.phoneNumbers.map((number) => ({ ...number, id: null })) })
  }),
  "update leaves missing numbers": (store) => ({
    update: (contact) =>
      Effect.gen(function* () {
        const stored = yield* store.find(ownRows(contact.accountId), contact.id)
        const ids = new Set(contact.phoneNumbers.map(({ id }) => id))
        const missing = Option.match(stored, {
          onNone: () => [],
          onSome: ({ phoneNumbers }) => phoneNumbers.filter(({ id }) => !ids.has(id))
        })
        return yield* store.update({ ...contact, phoneNumbers: [...contact.phoneNumbers, ...missing] })
      })
  }),
  "update adds new numbers in reverse order": (store) => ({
    update: (contact) => {
      const added = contact.phoneNumbers.filter(({ id }) => id === null).toReversed()
      return store.update({
        ...contact,
        phoneNumbers: [...contact.phoneNumbers.filter(({ id }) => id !== null), ...added]
      })
    }
  }),
  "update does not add flagged numbers to the do-not-call list": (store) => ({
    update: (contact) =>
      store.update({
        ...contact,
        phoneNumbers: contact.phoneNumbers.map((number) => ({ ...number, doNotCall: false }))
      })
  }),
  "update does not replace the tags": (store) => ({
    update: (contact) =>
      Effect.flatMap(store.find(ownRows(contact.accountId), contact.id), (stored) =>
        store.update({ ...contact, tags: Option.getOrElse(stored, () => contact).tags })
      )
  }),
  "delete has no effect": () => ({ delete: () => Effect.succeed(true) }),
  "delete ignores the scope": (store) => {
    const { insert, ownerOf } = rememberOwners(store.insert)
    return { insert, delete: (scope, id) => store.delete({ ...scope, accountId: ownerOf(id, scope.accountId) }, id) }
  },
  "delete returns true for a contact that is not in the scope": (store) => ({
    delete: (scope, id) => Effect.as(store.delete(scope, id), true)
  }),
  "delete leaves the contact in its calls": (store) => {
    const deleted = new Set<ContactId>()
    return {
      delete: (scope, id) =>
        Effect.map(
          store.find(scope, id),
          (found) => Option.isSome(found) && !deleted.has(id) && deleted.add(id).size > 0
        ),
      find: (scope, id) => (deleted.has(id) ? Effect.succeedNone : store.find(scope, id)),
      list: (scope, filter, page) => filterPage(store.list(scope, filter, page), ({ id }) => !deleted.has(id))
    }
  },
  "list returns the oldest contact first": (store) => ({
    list: (scope, filter, page) => reversedPage(store.list(scope, filter, page))
  }),
  "list leaves out the contacts of the teams": (store) => ({
    list: (scope, filter, page) => store.list({ ...scope, teamIds: [] }, filter, page)
  }),
  "list returns the first page for every page": (store) => ({
    list: (scope, filter, page) => store.list(scope, filter, { ...page, page: 1 })
  }),
  "list counts the rows of the page": (store) => ({
    list: (scope, filter, page) =>
      Effect.map(store.list(scope, filter, page), (found) => ({ ...found, count: found.items.length }))
  }),
  "list ignores the search": (store) => ({
    list: (scope, filter, page) => store.list(scope, { ...filter, search: undefined }, page)
  }),
  "a search distinguishes upper and lower case": (store) => ({
    list: (scope, filter, page) => {
      const found = store.list(scope, filter, page)
      const { search } = filter
      if (search === undefined) return found
      return filterPage(found, (contact) =>
        `${contact.firstName} ${contact.lastName} ${contact.email} ${contact.company}`.includes(search)
      )
    }
  }),
  "list ignores the phone number": (store) => ({
    list: (scope, filter, page) => store.list(scope, { ...filter, phoneNumber: undefined }, page)
  }),
  "list ignores the tag": (store) => ({
    list: (scope, filter, page) => store.list(scope, { ...filter, tag: undefined }, page)
  }),
  "list ignores the status": (store) => ({
    list: (scope, filter, page) => store.list(scope, { ...filter, status: undefined }, page)
  }),
  "list ignores the stage": (store) => ({
    list: (scope, filter, page) => store.list(scope, { ...filter, stage: undefined }, page)
  }),
  "list ignores the team": (store) => ({
    list: (scope, filter, page) => store.list(scope, { ...filter, teamId: undefined }, page)
  }),
  "idsByNumber returns one id": (store) => ({
    idsByNumber: (accountId, number) => Effect.map(store.idsByNumber(accountId, number), (ids) => ids.slice(0, 1))
  }),
  "idsByNumber returns more than two ids": (store) => ({
    idsByNumber: (accountId, phoneNumber) =>
      Effect.map(store.list(ownRows(accountId), { phoneNumber }, { page: 1, limit: 100 }), ({ items }) =>
        items.map(({ id }) => id)
      )
  }),
  "touchLastCall sets the date to an earlier time": (store) => ({
    touchLastCall: (id, at) => store.touchLastCall(id, justBefore(at))
  }),
  "touchLastCall replaces a later time": (store) => {
    const last = new Map<ContactId, Parameters<typeof store.touchLastCall>[1]>()
    return {
      touchLastCall: (id, at) =>
        Effect.andThen(
          Effect.sync(() => last.set(id, at)),
          store.touchLastCall(id, at)
        ),
      find: (scope, id) =>
        Effect.map(
          store.find(scope, id),
          Option.map((contact) => ({ ...contact, lastCallDate: last.get(id) ?? contact.lastCallDate }))
        )
    }
  }
})

/** Mutants of `DoNotCallStore`. */
export const doNotCallStore = mutantsOf(DoNotCallStore, {
  "add returns every number": (store) => ({
    add: (accountId, numbers) => Effect.as(store.add(accountId, numbers), numbers.toSorted())
  }),
  "add returns the numbers in the given order": (store) => ({
    add: (accountId, numbers) =>
      Effect.map(store.add(accountId, numbers), (added) => numbers.filter((number) => added.includes(number)))
  }),
  "add has no effect": () => ({ add: (_accountId, numbers) => Effect.succeed(numbers.toSorted()) }),
  "remove returns every number": (store) => ({
    remove: (accountId, numbers) => Effect.as(store.remove(accountId, numbers), numbers.toSorted())
  }),
  "remove returns the numbers in the given order": (store) => ({
    remove: (accountId, numbers) =>
      Effect.map(store.remove(accountId, numbers), (removed) => numbers.filter((number) => removed.includes(number)))
  }),
  "remove has no effect": () => ({ remove: (_accountId, numbers) => Effect.succeed(numbers.toSorted()) }),
  "list is in reverse order": (store) => ({
    list: (accountId, query, page) => reversedPage(store.list(accountId, query, page))
  }),
  "list leaves out the last row of a page": (store) => ({
    list: (accountId, query, page) =>
      Effect.map(store.list(accountId, query, page), (found) => ({ ...found, items: found.items.slice(0, -1) }))
  }),
  "list ignores the number": (store) => ({ list: (accountId, _, page) => store.list(accountId, {}, page) }),
  "list returns the number when it is not on the list": (store) => ({
    list: (accountId, query, page) =>
      query.phoneNumber === undefined
        ? store.list(accountId, query, page)
        : Effect.succeed({ items: [query.phoneNumber], count: 1, page: page.page, limit: page.limit })
  }),
  "list returns the number when it is on the list of another account": (store) => {
    const others = new Set<AccountId>()
    return {
      add: (accountId, numbers) =>
        Effect.andThen(
          Effect.sync(() => others.add(accountId)),
          store.add(accountId, numbers)
        ),
      list: Effect.fnUntraced(function* (accountId, query, page) {
        const own = yield* store.list(accountId, query, page)
        if (query.phoneNumber === undefined || own.count > 0) return own
        for (const other of others) {
          const found = yield* store.list(other, query, page)
          if (found.count > 0) return found
        }
        return own
      })
    }
  },
  "list returns the numbers that begin with the number": (store) => ({
    list: Effect.fnUntraced(function* (accountId, { phoneNumber }, page) {
      if (phoneNumber === undefined) return yield* store.list(accountId, {}, page)
      const { items } = yield* store.list(accountId, {}, { page: 1, limit: 100 })
      return Page.slice(
        items.filter((number) => number.startsWith(phoneNumber)),
        page
      )
    })
  }),
  "list with a number counts the whole list": (store) => ({
    list: Effect.fnUntraced(function* (accountId, query, page) {
      const { count } = yield* store.list(accountId, {}, page)
      return { ...(yield* store.list(accountId, query, page)), count }
    })
  }),
  "isBlocked is always false": () => ({ isBlocked: () => Effect.succeed(false) }),
  "isBlocked ignores the lists of other owners": (store) => ({
    isBlocked: (scope, number) => store.isBlocked({ ...scope, teamIds: [] }, number)
  }),
  "isBlocked checks the lists of all accounts": (store) => {
    const all = new Set<string>()
    return {
      add: (accountId, numbers) =>
        Effect.andThen(
          Effect.sync(() => numbers.forEach((number) => all.add(number))),
          store.add(accountId, numbers)
        ),
      isBlocked: (scope, number) =>
        Effect.map(store.isBlocked(scope, number), (isBlocked) => isBlocked || all.has(number))
    }
  }
})
