export const jsonAlone = ['application/json'] as const;
/** What a client asks for that wants an answer in events; without them it is JSON. */
export const typesOfStreams = ['application/json', 'text/event-stream'] as const;

/** Whether an `Accept` header leaves one of the types in: the most specific range that names it decides, `q=0` rules it out. */
export function accepts(header: string | undefined, types: readonly string[]): boolean {
  if (header === undefined || header.trim() === '') return true;
  const ranges = header.split(',').map(part => {
    const [range = '', ...parameters] = part.split(';').map(text => text.trim().toLowerCase());
    return { range, quality: qualityOf(parameters) };
  });
  return types.some(type => {
    const spellings = ['*/*', type.replace(/\/.*/, '/*'), type];
    let best = { specificity: -1, quality: 0 };
    for (const { range, quality } of ranges) {
      const specificity = spellings.indexOf(range);
      if (specificity > best.specificity) best = { specificity, quality };
    }
    return best.quality > 0;
  });
}

function qualityOf(parameters: string[]): number {
  const sent = parameters.find(parameter => parameter.startsWith('q='));
  if (sent === undefined) return 1;
  const quality = Number(sent.slice(2));
  return Number.isNaN(quality) ? 1 : quality;
}
