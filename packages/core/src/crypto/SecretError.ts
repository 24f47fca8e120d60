import * as Schema from "effect/Schema"

/**
 * A secret that was kept sealed cannot be opened: the key of its version is not given (`unknown_key`), or it was
 * changed, moved to another owner, or sealed with another key under that version (`damaged`). It never holds the
 * secret.
 */
export class SecretUnreadable extends Schema.TaggedError<SecretUnreadable>("@frontdesk/core/crypto/SecretUnreadable")(
  "SecretUnreadable",
  {
    kind: Schema.Literals(["unknown_key", "damaged"]),
    /** The version it names; null when it is too damaged to name one. */
    version: Schema.NullOr(Schema.String)
  }
) {
  /** What is wrong, for an operator. */
  override get message(): string {
    if (this.version === null) return "A sealed secret was changed where it is kept"
    return this.kind === "unknown_key"
      ? `A secret is sealed with the key version "${this.version}", which is not given`
      : `A secret does not open with the key version "${this.version}": the key is another one, or the secret was changed`
  }
}

/** Secrets are kept that the keys given cannot open: one problem for each version. */
export class SecretKeysMissing extends Schema.TaggedError<SecretKeysMissing>(
  "@frontdesk/core/crypto/SecretKeysMissing"
)("SecretKeysMissing", { problems: Schema.NonEmptyArray(SecretUnreadable) }) {
  /** What is wrong, for an operator. */
  override get message(): string {
    return this.problems.map(({ message }) => message).join(". ")
  }
}

/** A key version whose secrets are to be replaced has none: it was mistyped, or its secrets are replaced already. */
export class KeyVersionNotInUse extends Schema.TaggedError<KeyVersionNotInUse>(
  "@frontdesk/core/crypto/KeyVersionNotInUse"
)("KeyVersionNotInUse", { version: Schema.String }) {
  /** What is wrong, for an operator. */
  override get message(): string {
    return `No secret is sealed with the key version "${this.version}"`
  }
}
