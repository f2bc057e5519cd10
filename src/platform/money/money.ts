import { Decimal } from 'decimal.js';

/** Enough digits that no sum or product of prices is ever rounded on the way. */
const Exact = Decimal.clone({ precision: 60, toExpNeg: -60, toExpPos: 60 });

/** Amounts by currency, as normalized decimal texts: no exponent, no trailing zeros, `"0"` for zero. */
export interface Money {
  usd: string;
  sr: string;
}

export class Currencies {
  /** How many SR one USD is worth, as an exact decimal text. */
  constructor(readonly srPerUsd: string) {}

  of(usd: string): Money {
    return { usd: normalized(usd), sr: new Exact(usd).times(this.srPerUsd).toFixed() };
  }
}

export function normalized(amount: string): string {
  return new Exact(amount).toFixed();
}

/** What is left of an amount; nothing once as much as that is taken. */
export function subtractAll(amount: string, taken: Iterable<string>): string {
  return Exact.max(0, new Exact(amount).minus(sum(taken))).toFixed();
}

/** Both ends included. */
export function isBetween(amount: string, least: string, most: string): boolean {
  const exact = new Exact(amount);
  return exact.gte(least) && exact.lte(most);
}

/** So many hundredths of an amount. */
export function percentOf(amount: string, percent: number): string {
  return new Exact(amount).times(percent).div(100).toFixed();
}

export function sum(amounts: Iterable<string>): string {
  let total = new Exact(0);
  for (const amount of amounts) total = total.plus(amount);
  return total.toFixed();
}
