import * as Schema from "effect/Schema"

/** Where a recording is: by http or https, so that nothing else is kept which somebody may open later. */
export const RecordingUrl = Schema.String.check(Schema.isPattern(/^https?:\/\/\S+$/i))
