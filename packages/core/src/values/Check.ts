/** The result of checking an external service through its adapter. The check has no side effects at the service. */
export interface Check {
  /** Whether the adapter can use the service. */
  readonly isUsable: boolean
  /** Whether the operator should read `says`, although the adapter can probably use the service. */
  readonly hasWarning?: boolean | undefined
  /** A sentence for the operator about what was found or what is wrong. It never contains a credential. */
  readonly says: string
}
