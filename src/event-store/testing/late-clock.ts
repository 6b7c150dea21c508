/** Sets this process's clock back for the rest of its life. */
export function lateClock(lateMs: number): void {
  const { Date: Now } = globalThis
  globalThis.Date = class extends Now {
    static override now = (): number => Now.now() - lateMs
    constructor(...given: [] | [number]) {
      super(given[0] ?? Now.now() - lateMs)
    }
  } as DateConstructor
}
