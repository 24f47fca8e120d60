declare module "@prisma/client/runtime/query_compiler_fast_bg.postgresql.mjs" {
  export function __wbg_set_wasm(exports: unknown): void
  export class QueryCompiler {
    constructor(options: object)
    compile(request: string): never
    compileBatch(request: string): never
    free(): void
  }
}

declare module "@prisma/client/runtime/query_compiler_fast_bg.postgresql.wasm-base64.mjs" {
  export const wasm: string
}

declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array)
  }
}
