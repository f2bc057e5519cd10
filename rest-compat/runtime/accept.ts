export const jsonOnly = ['application/json'] as const;
/** Media types of a reply that may be a stream of server-sent events. */
export const streamTypes = ['application/json', 'text/event-stream'] as const;

/**
 * Whether an `Accept` header accepts one of the media types (RFC 9110, section 12.5.1). The most specific matching range
 * decides; `q=0` excludes a type.
 */
export function accepts(header: string | undefined, types: readonly string[]): boolean {
  if (header === undefined || header.trim() === '') return true;
  const ranges = header.split(',').map(part => {
    const [range = '', ...parameters] = part.split(';').map(text => text.trim().toLowerCase());
    return { range, quality: qualityOf(parameters) };
  });
  return types.some(type => {
    // From the least to the most specific: the index is the specificity.
    const matchingRanges = ['*/*', type.replace(/\/.*/, '/*'), type];
    let best = { specificity: -1, quality: 0 };
    for (const { range, quality } of ranges) {
      const specificity = matchingRanges.indexOf(range);
      if (specificity > best.specificity) best = { specificity, quality };
    }
    return best.quality > 0;
  });
}

function qualityOf(parameters: string[]): number {
  const weight = parameters.find(parameter => parameter.startsWith('q='));
  if (weight === undefined) return 1;
  const quality = Number(weight.slice(2));
  return Number.isNaN(quality) ? 1 : quality;
}
