/** The ids of everything that a provisioning document names, by its refs. */
export interface Provisioned {
  readonly teams: { readonly [ref: string]: number }
  readonly accounts: { readonly [ref: string]: number }
  /** The value of a key is here only when this call created the key, or when the document has the value. */
  readonly apiKeys: { readonly [ref: string]: { readonly id: number; readonly key?: string | undefined } }
  readonly agents: { readonly [ref: string]: number }
  readonly contacts: { readonly [ref: string]: { readonly id: number; readonly phoneNumbers: ReadonlyArray<number> } }
}
