/** The maximum number of tags of a contact. */
export const maxTags = 100

/** The maximum number of phone numbers of a contact. */
export const maxPhoneNumbers = 100

/**
 * The maximum number of bytes of a contact as JSON, without its contexts: 20 KiB (D-CON-12). So a page of 100 contacts
 * without their contexts has less than `Page.maxBytes`.
 */
export const maxBytesBesidesContexts = 20_480
