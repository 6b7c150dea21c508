/** An exact number. The ledger has its own arithmetic, so that it shares no mistake with the product. */
export class Exact {
  readonly top: bigint
  readonly bottom: bigint

  private constructor(top: bigint, bottom: bigint) {
    this.top = top
    this.bottom = bottom
  }

  /** Of a whole number, or of plain decimal text. */
  static of(value: number | string): Exact {
    const [, whole = '', digits = ''] = /^(-?\d+)(?:\.(\d+))?$/.exec(String(value)) ?? []
    if (whole === '') throw new Error(`'${value}' is no exact number`)
    return new Exact(BigInt(whole + digits), 10n ** BigInt(digits.length))
  }

  static sum(numbers: Iterable<Exact>): Exact {
    let sum = nought
    for (const number of numbers) sum = sum.plus(number)
    return sum
  }

  plus({ top, bottom }: Exact): Exact {
    return new Exact(this.top * bottom + top * this.bottom, this.bottom * bottom)
  }

  minus({ top, bottom }: Exact): Exact {
    return new Exact(this.top * bottom - top * this.bottom, this.bottom * bottom)
  }

  times({ top, bottom }: Exact): Exact {
    return new Exact(this.top * top, this.bottom * bottom)
  }

  /** `divisor` is above zero. */
  over({ top, bottom }: Exact): Exact {
    return new Exact(this.top * bottom, this.bottom * top)
  }

  isBelow({ top, bottom }: Exact): boolean {
    return this.top * bottom < top * this.bottom
  }

  isSame({ top, bottom }: Exact): boolean {
    return this.top * bottom === top * this.bottom
  }

  floor(): number {
    const isBetween = this.top % this.bottom !== 0n
    return Number(this.top / this.bottom - (isBetween && this.top < 0n ? 1n : 0n))
  }

  ceiling(): number {
    return Number(this.top / this.bottom + (this.top % this.bottom !== 0n && this.top > 0n ? 1n : 0n))
  }

  least(other: Exact): Exact {
    return other.isBelow(this) ? other : this
  }

  most(other: Exact): Exact {
    return this.isBelow(other) ? other : this
  }
}

export const nought = Exact.of(0)
