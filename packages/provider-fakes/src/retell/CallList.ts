import { at, isObject } from "../Fake.ts"
import type { Outgoing } from "../Service.ts"
import { error } from "./Errors.ts"
import { type FakeCall, listedCall, objectAt } from "./Resources.ts"

/** Returns the answer to `POST /v3/list-calls`, newest call first. Of all filters the fake has those of the metadata. */
export const answerList = (calls: ReadonlyArray<FakeCall>, request: unknown): Outgoing => {
  const { metadata = [], ...others } = objectAt(request, "filter_criteria")
  if (Object.keys(others).length > 0) return error(422, `The fake has no filter ${Object.keys(others).join(", ")}`)
  if (!Array.isArray(metadata) || !metadata.every(isFilter)) {
    return error(422, "filter_criteria.metadata must have filters of the type string with the operator eq and a key")
  }
  const limit = at(request, "limit") ?? 50
  if (typeof limit !== "number" || limit < 1 || limit > 1_000) return error(422, "limit must be between 1 and 1000")
  const found = calls
    .filter((call) => metadata.every(({ key, value }) => at(call.metadata, key) === value))
    .toReversed()
  return { status: 200, body: { items: found.slice(0, limit).map(listedCall), has_more: found.length > limit } }
}

interface MetadataFilter {
  readonly key: string
  readonly value: string
}

const isFilter = (filter: unknown): filter is MetadataFilter =>
  isObject(filter) &&
  filter["type"] === "string" &&
  filter["op"] === "eq" &&
  typeof filter["key"] === "string" &&
  typeof filter["value"] === "string"
