const withDigits = (maximumFractionDigits: number) =>
  new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits,
  });
/** By the largest number of decimal places. */
const FORMATS = { 2: withDigits(2), 4: withDigits(4), 6: withDigits(6) };

/** Shows every digit of small amounts: a call may cost a thousandth of a cent. `usd` is a decimal text of the API. */
export function formatUsd(usd: string): string {
  const value = Number(usd);
  if (value === 0) return '$0.00';
  const magnitude = Math.abs(value);
  if (magnitude < 0.000_001) return value > 0 ? '<$0.000001' : '>-$0.000001';
  const digits = magnitude >= 1 ? 2 : magnitude >= 0.01 ? 4 : 6;
  return FORMATS[digits].format(value);
}

/** An amount in US dollars. The exact amount is the tooltip. */
export function Money({ usd }: { usd: string | null | undefined }) {
  if (usd === null || usd === undefined) return <span>–</span>;
  return (
    <span className="tabular" title={`$${usd}`}>
      {formatUsd(usd)}
    </span>
  );
}
