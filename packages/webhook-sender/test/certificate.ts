/**
 * A self-signed certificate for `hooks.example.com`, with its key. For servers inside tests; the key is not a secret.
 *
 * Made with `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500 -subj
 * /CN=hooks.example.com -addext subjectAltName=DNS:hooks.example.com`.
 */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBrTCCAVOgAwIBAgIUP06c7CBCHLauFoL+ZT9d14NfhKAwCgYIKoZIzj0EAwIw
HDEaMBgGA1UEAwwRaG9va3MuZXhhbXBsZS5jb20wIBcNMjYxMTIxMDIzOTA2WhgP
MjEyNjEwMjgwMjM5MDZaMBwxGjAYBgNVBAMMEWhvb2tzLmV4YW1wbGUuY29tMFkw
EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEvUjUYxHdSSqP4FbsIXs0M1LX2lztO/ac
0p6qMWOxDPBr9RZu4l/Qr6MkRj/Rpa03Sg6n/3gcjXohLS/lLZBTqaNxMG8wHQYD
VR0OBBYEFKjhQlk0GAY95r87YshlcxRcJqRmMB8GA1UdIwQYMBaAFKjhQlk0GAY9
5r87YshlcxRcJqRmMA8GA1UdEwEB/wQFMAMBAf8wHAYDVR0RBBUwE4IRaG9va3Mu
ZXhhbXBsZS5jb20wCgYIKoZIzj0EAwIDSAAwRQIhAKHG/pXuyk86Mdh6CuTbc6N/
heoIPO3tRKaF1TM4lEodAiAg71iTzjyAZlTXc06gov4zuDOxKOJqnWKzK/IPagbx
Jg==
-----END CERTIFICATE-----`

/** The key of {@link certificate}. */
export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQggU7fzJZ90xMSHC3s
66rRJH7mcwNaJKDjfNufpbqpMHShRANCAAS9SNRjEd1JKo/gVuwhezQzUtfaXO07
9pzSnqoxY7EM8Gv1Fm7iX9CvoyRGP9GlrTdKDqf/eByNeiEtL+UtkFOp
-----END PRIVATE KEY-----`
