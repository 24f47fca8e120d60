/** What has come of trying an adapter without side effects. */
export interface Check {
  readonly isUsable: boolean
  /** Whether somebody should look at it although it can be used as far as can be told. */
  readonly isDoubtful?: boolean | undefined
  /** What was found or what is wrong, in a sentence for the operator; never a credential. */
  readonly says: string
}
