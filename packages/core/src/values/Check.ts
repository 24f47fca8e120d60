/** What has come of trying an adapter without side effects. */
export interface Check {
  readonly isUsable: boolean
  /** What was found or what is wrong, in a sentence for the operator; never a credential. */
  readonly says: string
}
