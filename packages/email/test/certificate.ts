/**
 * A self-signed certificate for `localhost` and `127.0.0.1`, for servers in tests. Its key is public.
 *
 * Made with `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500 -subj /CN=localhost
 * -addext subjectAltName=DNS:localhost,IP:127.0.0.1`.
 */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUZ5P2XU/HRglOGOMUauIFfsOywnwwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTE4NTUxNFoYDzIxMjYxMDI4
MTg1NTE0WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATxIj+R3rGCMhdlO8hoYO8plPgEVEnil8sfuMFDggG1GMbfv/If0uIS
iFkrd7+q/b2obAzi3syuYVAMO/EUHh5Jo28wbTAdBgNVHQ4EFgQUECV8j74NTfGy
IgdvVJPdSvtaY7wwHwYDVR0jBBgwFoAUECV8j74NTfGyIgdvVJPdSvtaY7wwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhAPBBN4vSUyO1mmEXCyWulleCoNcqPHiDkpf6G80SZdP+AiEA
+G76bDrgkYJMQjaEApOtWmbOmO74cjj2mToigWv1vgE=
-----END CERTIFICATE-----`

/** The key of {@link certificate}. */
export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgyaM5Zu0219FPEObz
YPAwauHJ4p+qmca/kAhRe4Sjm16hRANCAATxIj+R3rGCMhdlO8hoYO8plPgEVEni
l8sfuMFDggG1GMbfv/If0uISiFkrd7+q/b2obAzi3syuYVAMO/EUHh5J
-----END PRIVATE KEY-----`

/** A certificate for `mail.example.com`, made the same way. */
export const otherCertificate = `-----BEGIN CERTIFICATE-----
MIIBqTCCAVCgAwIBAgIUT6ZA7jKLJx3Zk51gL1xg+reZhTQwCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQbWFpbC5leGFtcGxlLmNvbTAgFw0yNjExMjExOTAzMjlaGA8y
MTI2MTAyODE5MDMyOVowGzEZMBcGA1UEAwwQbWFpbC5leGFtcGxlLmNvbTBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABP9CmlXLsgyZcbm31Gl8ndd1X+fo9jsj1RxQ
FVq6xJAqNuc5SBgCOWWc7/WLPrV6gczUFGvafyq6DQzOVNT4W+ajcDBuMB0GA1Ud
DgQWBBRtYsiJoS2/MjSajrZUwxmLn3ub1DAfBgNVHSMEGDAWgBRtYsiJoS2/MjSa
jrZUwxmLn3ub1DAPBgNVHRMBAf8EBTADAQH/MBsGA1UdEQQUMBKCEG1haWwuZXhh
bXBsZS5jb20wCgYIKoZIzj0EAwIDRwAwRAIgapoc5z9+ebxfKJsB32YkEr0xrtVU
l6zfpFmXOc2vGvUCIBIYATalHV3rikkx1oO2+Sbdv63pBRXcqPQlETF53VKd
-----END CERTIFICATE-----`

/** The key of {@link otherCertificate}. */
export const otherKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgUxHh75X+N8J0rJdi
PHsLrMpZ5VES2lgt572QBBQYJmehRANCAAT/QppVy7IMmXG5t9RpfJ3XdV/n6PY7
I9UcUBVausSQKjbnOUgYAjllnO/1iz61eoHM1BRr2n8qug0MzlTU+Fvm
-----END PRIVATE KEY-----`
