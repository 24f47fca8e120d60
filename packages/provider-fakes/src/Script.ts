/** Describes the course of a call. Every field has a default. */
export interface Script {
  /**
   * The answer to the request that starts the call. The values with `_after` and `accept` create the call, the others
   * do not.
   *
   * - `refuse`: the provider refuses the call.
   * - `rate_limit`: 429.
   * - `fail`: 500.
   * - `hang`: no answer.
   * - `cut`: the connection is closed.
   * - `garble_after`: an answer of 201 that cannot be read.
   */
  readonly start?:
    | "accept"
    | "refuse"
    | "rate_limit"
    | "fail"
    | "fail_after"
    | "hang"
    | "hang_after"
    | "cut"
    | "cut_after"
    | "garble_after"
  /** Twilio's error code of a refusal. Default: 21215. */
  readonly refusalCode?: number
  readonly outcome?: "talk" | "voicemail" | "busy" | "no_answer" | "fail"
  /** The seconds before the call rings. Default: 0. */
  readonly queueSeconds?: number
  /** The seconds for which the call rings. Default: 3. */
  readonly ringSeconds?: number
  /** The seconds for which an answered call lasts. Default: 30. */
  readonly talkSeconds?: number
  /** The seconds from the end until recording, transcript and summary are ready. Default: 5. */
  readonly dataSeconds?: number
  /** The seconds from the end until the price is known. Default: 60. */
  readonly priceSeconds?: number
  readonly callbacks?: CallbackFaults
}

/** The faults of the callbacks of a call. */
export interface CallbackFaults {
  /** How many times each callback is sent. Default: 1. */
  readonly times?: number
  /**
   * With `reversed`, all callbacks of a call are sent in reverse order at the time of the last one. Default: `kept`.
   */
  readonly order?: "kept" | "reversed"
  /** The seconds by which each callback is late. Default: 0. */
  readonly delaySeconds?: number
  /** The kinds of callbacks that are not sent: `ringing`, `answered`, `ended`, `data`. Default: none. */
  readonly lose?: ReadonlyArray<string>
  /** Whether a callback with a wrong signature and another content is sent before each one. Default: false. */
  readonly forge?: boolean
  /** Whether the call rings before the request that starts it is answered. Default: false. */
  readonly early?: boolean
}

/** The scripts by the last four digits of the number. The README describes them. */
const scripts: Readonly<Record<string, Script>> = {
  "0001": { outcome: "busy" },
  "0002": { outcome: "no_answer", ringSeconds: 30 },
  "0003": { start: "refuse" },
  "0004": { outcome: "voicemail" },
  "0005": { callbacks: { lose: ["ended", "data"] } },
  "0006": { outcome: "fail" },
  "0007": { start: "rate_limit" },
  "0008": { start: "fail" },
  "0009": { start: "fail_after" },
  "0010": { start: "hang" },
  "0011": { start: "hang_after" },
  "0012": { start: "cut" },
  "0013": { start: "cut_after" },
  "0014": { start: "garble_after" },
  "0015": { callbacks: { times: 2 } },
  "0016": { callbacks: { order: "reversed" } },
  "0017": { callbacks: { delaySeconds: 20 } },
  "0018": { callbacks: { early: true } },
  "0019": { callbacks: { forge: true } },
  "0020": { talkSeconds: 2 }
}

/** The numbers that Twilio's test credentials refuse, with the error codes. */
const magic: Readonly<Record<string, Script>> = {
  "+15005550001": { start: "refuse", refusalCode: 21217 },
  "+15005550002": { start: "refuse", refusalCode: 21214 },
  "+15005550003": { start: "refuse", refusalCode: 21215 },
  "+15005550004": { start: "refuse", refusalCode: 21216 }
}

/** Returns the script of a number that a test has not given another script. Any other number is answered. */
export const scriptOf = (number: string): Script => magic[number] ?? scripts[number.slice(-4)] ?? {}
