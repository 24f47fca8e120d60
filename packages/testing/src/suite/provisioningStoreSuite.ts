import { type ProvisionedRef, ProvisioningStore } from "@frontdesk/core/provisioning/ProvisioningStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies a `ProvisioningStore`. */
export const provisioningStoreSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: ProvisioningStore`, (it) => {
    it.effect("find returns the id that insert stored for a reference, and none before", () =>
      Effect.gen(function* () {
        const refs = yield* ProvisioningStore
        const ref = newRef()
        expect(yield* refs.find(ref)).toEqual(Option.none())
        yield* refs.insert(ref, 999_999_999_999)
        expect(yield* refs.find(ref)).toEqual(Option.some(999_999_999_999))
      })
    )

    it.effect("insert fails with duplicate and changes nothing when the reference has an id", () =>
      Effect.gen(function* () {
        const refs = yield* ProvisioningStore
        const ref = newRef()
        yield* refs.insert(ref, 1)
        expect((yield* refs.insert(ref, 2).pipe(Effect.flip)).reason).toBe("duplicate")
        expect(yield* refs.find(ref)).toEqual(Option.some(1))
      })
    )

    it.effect("replace changes the id of one reference, and stores none for a reference without an id", () =>
      Effect.gen(function* () {
        const refs = yield* ProvisioningStore
        const [ref, other, missing] = [newRef(), newRef(), newRef()]
        yield* refs.insert(ref, 1)
        yield* refs.insert(other, 2)
        const alike: ReadonlyArray<ProvisionedRef> = [
          { ...ref, kind: "contact" },
          { ...ref, accountRef: "other" }
        ]
        for (const one of alike) yield* refs.insert(one, 3)
        yield* refs.replace(ref, 4)
        yield* refs.replace(missing, 5)
        expect(yield* Effect.forEach([ref, other, ...alike, missing], refs.find)).toEqual([
          Option.some(4),
          Option.some(2),
          Option.some(3),
          Option.some(3),
          Option.none()
        ])
      })
    )

    it.effect("the same reference has separate ids in another kind, account or spelling", () =>
      Effect.gen(function* () {
        const refs = yield* ProvisioningStore
        const ref = newRef()
        yield* refs.insert(ref, 1)
        const others: ReadonlyArray<ProvisionedRef> = [
          { ...ref, kind: "contact" },
          { ...ref, accountRef: "other" },
          { ...ref, ref: ref.ref.toUpperCase() }
        ]
        for (const other of others) {
          expect(yield* refs.find(other)).toEqual(Option.none())
          yield* refs.insert(other, 2)
        }
        expect(yield* refs.find(ref)).toEqual(Option.some(1))
      })
    )

    it.effect("list returns the references of one kind and account after a reference, in order, up to the limit", () =>
      Effect.gen(function* () {
        const refs = yield* ProvisioningStore
        const ref = { ...newRef(), accountRef: Samples.unique("account") }
        yield* refs.insert(ref, 1)
        yield* refs.insert({ ...ref, ref: "other" }, 2)
        yield* refs.insert({ ...ref, kind: "contact" }, 3)
        yield* refs.insert({ ...ref, accountRef: "" }, 4)
        const known = [
          { id: 1, ref: ref.ref },
          { id: 2, ref: "other" }
        ].toSorted((a, b) => (a.ref < b.ref ? -1 : 1))
        expect(yield* refs.list(ref, null, 10)).toEqual(known)
        expect(yield* refs.list(ref, null, 1)).toEqual(known.slice(0, 1))
        expect(yield* refs.list(ref, known[0]?.ref ?? "", 10)).toEqual(known.slice(1))
      })
    )

    it.effect("transactions that call lock first run one after the other", () =>
      Effect.gen(function* () {
        const refs = yield* ProvisioningStore
        const transaction = yield* Transaction
        const ref = newRef()
        const provision = transaction.run(
          Effect.gen(function* () {
            yield* refs.lock
            const known = yield* refs.find(ref)
            yield* Effect.yieldNow
            if (Option.isNone(known)) yield* refs.insert(ref, 1)
            return Option.isNone(known)
          })
        )
        const made = yield* Effect.all(
          Array.from({ length: 8 }, () => provision),
          { concurrency: "unbounded" }
        )
        expect(made.filter((isNew) => isNew)).toHaveLength(1)
      })
    )
  })
}

const newRef = (): ProvisionedRef => ({ kind: "agent", accountRef: "acme", ref: Samples.unique("ref") })
