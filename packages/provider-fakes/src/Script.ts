/** What becomes of a call, by the number that is called. Every part has a default. */
export interface Script {
  /**
   * What becomes of the request that starts the call. The words with `_after` have the call made all the same; the
   * others make none.
   *
   * `refuse`: the provider says no. `rate_limit`: 429. `fail`: 500. `hang`: no answer. `cut`: the connection is closed.
   * `garble`: an answer of 200 that cannot be read.
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
  /** Twilio's code of the refusal; 21215 unless given. */
  readonly refusalCode?: number
  readonly outcome?: "talk" | "voicemail" | "busy" | "no_answer" | "fail"
  /** How long it waits, rings and is talked, in seconds. */
  readonly queueSeconds?: number
  readonly ringSeconds?: number
  readonly talkSeconds?: number
  /** When the recording, and what the provider makes of the conversation, come after the end, in seconds. */
  readonly dataSeconds?: number
  /** When the price is known after the end, in seconds. */
  readonly priceSeconds?: number
  readonly callbacks?: Distortion
}

/** What happens to callbacks on their way. */
export interface Distortion {
  /** How often each is sent. */
  readonly times?: number
  /** `reversed`: all of a call are held back, and come in reverse order when the last would have. */
  readonly order?: "kept" | "reversed"
  readonly delaySeconds?: number
  /** Which never come, by their kind: `ringing`, `answered`, `ended`, `data`. */
  readonly lose?: ReadonlyArray<string>
  /** Whether before each comes one with a wrong signature that says something else. */
  readonly forge?: boolean
  /** Whether the call rings before the request that starts it is answered. */
  readonly early?: boolean
}

/** Scripts by the last four digits of the number; all other numbers talk. */
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

/** The numbers by which Twilio's test credentials fail. */
const magic: Readonly<Record<string, Script>> = {
  "+15005550001": { start: "refuse", refusalCode: 21217 },
  "+15005550002": { start: "refuse", refusalCode: 21214 },
  "+15005550003": { start: "refuse", refusalCode: 21215 },
  "+15005550004": { start: "refuse", refusalCode: 21216 }
}

/** The script of a number that nobody has given another. */
export const scriptOf = (number: string): Script => magic[number] ?? scripts[number.slice(-4)] ?? {}
