import * as fc from "fast-check"

// A law that fails has killed its mutant. A smaller counterexample says no more.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true })
