import { RateLimiter } from "@frontdesk/core/access/RateLimiter"
import { rateLimiterSuite } from "@frontdesk/testing/suite/rateLimiterSuite"
import * as Duration from "effect/Duration"

rateLimiterSuite("token bucket", RateLimiter.layerTokenBucket({ requests: 3, window: Duration.seconds(60) }))
rateLimiterSuite("uneven token bucket", RateLimiter.layerTokenBucket({ requests: 7, window: Duration.millis(10_001) }))
