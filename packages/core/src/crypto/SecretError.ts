import * as Schema from "effect/Schema"

/**
 * A sealed secret cannot be opened. `unknown_key`: the keyring has no key of its version. `damaged`: the stored text was
 * changed, belongs to another owner or purpose, or was sealed with another key of that version. The error has no part of
 * the secret.
 */
export class SecretUnreadable extends Schema.TaggedError<SecretUnreadable>("@frontdesk/core/crypto/SecretUnreadable")(
  "SecretUnreadable",
  {
    kind: Schema.Literals(["unknown_key", "damaged"]),
    /** The key version in the stored text. Null when the text is too damaged to have one. */
    version: Schema.NullOr(Schema.String)
  }
) {
  /** Returns the reason, for the operator. */
  override get message(): string {
    if (this.version === null) return "A sealed secret was damaged where it is stored"
    return this.kind === "unknown_key"
      ? `A secret is sealed with the key version "${this.version}", which is not given`
      : `A secret does not open with the key version "${this.version}": the key is wrong, or the stored secret was changed`
  }
}

/** The keyring cannot open secrets that are stored. There is one problem for each key version. */
export class SecretKeysMissing extends Schema.TaggedError<SecretKeysMissing>(
  "@frontdesk/core/crypto/SecretKeysMissing"
)("SecretKeysMissing", { problems: Schema.NonEmptyArray(SecretUnreadable) }) {
  /** Returns all problems as sentences, for the operator. */
  override get message(): string {
    return this.problems.map(({ message }) => message).join(". ")
  }
}

/**
 * No secret is sealed with the key version that a reseal is to replace. The version is mistyped, or its secrets were
 * resealed before.
 */
export class KeyVersionNotInUse extends Schema.TaggedError<KeyVersionNotInUse>(
  "@frontdesk/core/crypto/KeyVersionNotInUse"
)("KeyVersionNotInUse", { version: Schema.String }) {
  /** Returns the reason, for the operator. */
  override get message(): string {
    return `No secret is sealed with the key version "${this.version}"`
  }
}
