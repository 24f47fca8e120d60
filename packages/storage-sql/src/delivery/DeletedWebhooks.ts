/** The ids of the webhooks that are deleted but not purged yet, `(…)` to stand after `IN`. Most often there is none. */
export const webhooks = "(SELECT id FROM webhook WHERE deleted_at IS NOT NULL)"
