/** Whether an `Accept` header leaves JSON in: the most specific range that names it decides, and `q=0` rules it out. */
export function acceptsJson(header: string | undefined): boolean {
  if (header === undefined || header.trim() === '') return true;
  let best = { specificity: -1, quality: 0 };
  for (const part of header.split(',')) {
    const [range = '', ...parameters] = part.split(';').map(text => text.trim().toLowerCase());
    const specificity = ['*/*', 'application/*', 'application/json'].indexOf(range);
    if (specificity > best.specificity) best = { specificity, quality: qualityOf(parameters) };
  }
  return best.quality > 0;
}

function qualityOf(parameters: string[]): number {
  const sent = parameters.find(parameter => parameter.startsWith('q='));
  if (sent === undefined) return 1;
  const quality = Number(sent.slice(2));
  return Number.isNaN(quality) ? 1 : quality;
}
