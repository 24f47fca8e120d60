import * as fc from "fast-check"

// A property that fails has killed its mutant. The search for a smaller counterexample would only take time.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true })
