import { formatUsd } from '@/shared/money';

interface PricedOffer {
  runFee: string;
  freeRunsPerUser: number;
  marketplacePriceAverage: { usd: string };
}

/** The commission of the author, for example "20% fee, 5 runs free". `runFee` is a percentage of the costs of models. */
export function feeText({ runFee, freeRunsPerUser }: Pick<PricedOffer, 'runFee' | 'freeRunsPerUser'>): string {
  const fee = Number(runFee);
  if (fee === 0) return 'No fee';
  return freeRunsPerUser === 0 ? `${fee}% fee` : `${fee}% fee, ${freeRunsPerUser} runs free`;
}

/** The average cost of the models of a run, for example "about $0.02 a run". */
export function priceText({ marketplacePriceAverage: { usd } }: PricedOffer): string {
  return Number(usd) === 0 ? 'Free models' : `about ${formatUsd(usd)} a run`;
}
