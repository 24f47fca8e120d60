import { expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { ApiKeyId } from "@frontdesk/core/access/ApiKey"
import { SlotHolder } from "@frontdesk/core/availability/SlotHold"
import * as Conversation from "@frontdesk/core/call/Conversation"
import { ConversationName } from "@frontdesk/core/call/Conversation"
import * as Crashes from "@frontdesk/testing/suite/Crashes"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

it.effect("each name has a holder of its own, within the length of a holder, also for the highest ids", () =>
  Effect.gen(function* () {
    const names = ["a", "A", "a b", "x".repeat(100)].map((name) => ConversationName.make(name))
    const owners = [
      Conversation.ofApiKey(ApiKeyId.make(1)),
      Conversation.ofApiKey(ApiKeyId.make(Number.MAX_SAFE_INTEGER)),
      Conversation.ofAccount(AccountId.make(Number.MAX_SAFE_INTEGER))
    ]
    const conversations = yield* Effect.forEach(
      owners.flatMap((owner) => names.map((name) => [owner, name] as const)),
      ([owner, name]) => Conversation.named(owner, name)
    )
    const holders = [...owners, ...conversations].map(({ holder }) => holder)
    expect(new Set(holders).size).toBe(15)
    expect(holders.every(Schema.is(SlotHolder))).toBe(true)
    expect(
      yield* Conversation.named(owners[0] ?? Conversation.ofApiKey(ApiKeyId.make(1)), ConversationName.make("a"))
    ).toEqual(conversations[0])
  }).pipe(Effect.provide(Crashes.services(MemoryStorage.layer)))
)

it.each(["", "x".repeat(101), "a\nb", "Zoë"])("%j is not a name of a conversation", (name) => {
  expect(Schema.is(ConversationName)(name)).toBe(false)
})
