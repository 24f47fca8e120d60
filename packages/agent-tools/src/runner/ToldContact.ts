import { AgentContactField } from "@frontdesk/core/access/Account"
import { contactFields } from "@frontdesk/core/call/TemplateSources"
import { type Contact, fullName } from "@frontdesk/core/contact/Contact"
import * as JsonSize from "@frontdesk/core/values/JsonSize"
import * as Wire from "@frontdesk/core/values/Wire"
import * as Schema from "effect/Schema"

import type { ArgumentsByName } from "../tool/Tools.ts"
import type { JsonFields } from "../wire/Json.ts"

/** The maximum size of the variables of an answer, in bytes of JSON. A model would need seconds to read more. */
const maxVariableBytes = 8_192

/** Returns the name of a contact for a voice, or null when none is stored. */
export const nameOf = (contact: Contact): string | null => fullName(contact) || null

/** Returns the fields of a contact that a tool answers with, without those that are empty. */
export const fieldsOf = (contact: Contact): JsonFields => ({
  ...Object.fromEntries(Object.entries(contactFields(contact)).filter(([, value]) => value !== null && value !== "")),
  ...(contact.tags.length > 0 && { tags: contact.tags })
})

const isField = Schema.is(AgentContactField)

/** Returns the names of the fields that the arguments change, as settings name them. */
export const namesOf = (fields: ArgumentsByName["update_contact"]): ReadonlyArray<AgentContactField> =>
  Object.keys(fields).map(Wire.snakeKey).filter(isField)

/** Returns the first variables that together have at most {@link maxVariableBytes}. */
export const shortened = (variables: Readonly<Record<string, Schema.Json>>): JsonFields => {
  let left = maxVariableBytes
  return Object.fromEntries(
    Object.entries(variables).filter(([name, value]) => {
      const size = JsonSize.bytesOf({ [name]: value })
      if (size > left) return false
      left -= size
      return true
    })
  )
}
