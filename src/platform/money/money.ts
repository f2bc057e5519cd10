import { Decimal } from 'decimal.js';

/** Enough digits that no intermediate sum or product of prices is rounded. */
const Exact = Decimal.clone({ precision: 60, toExpNeg: -60, toExpPos: 60 });

/** Amounts by currency, as normalized decimal texts without exponent and trailing zeros. Zero is `"0"`. */
export interface Money {
  usd: string;
  sr: string;
}

/** Converts US dollars to all currencies. */
export class Currencies {
  /** `srPerUsd`: the value of one USD in SR, as an exact decimal text. */
  constructor(readonly srPerUsd: string) {}

  of(usd: string): Money {
    return { usd: normalize(usd), sr: new Exact(usd).times(this.srPerUsd).toFixed() };
  }
}

/** Returns an exact decimal text without exponent and trailing zeros. */
export function normalize(amount: string): string {
  return new Exact(amount).toFixed();
}

/** Subtracts all amounts of `subtrahends`. The result is at least zero. */
export function subtractAll(amount: string, subtrahends: Iterable<string>): string {
  return Exact.max(0, new Exact(amount).minus(sum(subtrahends))).toFixed();
}

/** Whether an amount is in the range. Both ends are included. */
export function isBetween(amount: string, min: string, max: string): boolean {
  const exact = new Exact(amount);
  return exact.gte(min) && exact.lte(max);
}

/** Returns a percentage of an amount. */
export function percentOf(amount: string, percent: number): string {
  return new Exact(amount).times(percent).div(100).toFixed();
}

/** Adds exact decimal amounts. The sum of no amounts is `"0"`. */
export function sum(amounts: Iterable<string>): string {
  let total = new Exact(0);
  for (const amount of amounts) total = total.plus(amount);
  return total.toFixed();
}
