import { isUuid } from '@/shared/uuid';

/** Parameters of paths with a UUID. Other ids are positive integers of GraphQL. */
const UUID_PARAMETERS = ['runId', 'rehearsalId'];
const MAX_INT = 2_147_483_647;

/** Whether all ids in the address of a screen have the form of an id. The service refuses other texts with an error. */
export function hasValidIds(parameters: Readonly<Record<string, string>>): boolean {
  return Object.entries(parameters).every(([name, text]) => {
    if (!name.endsWith('Id')) return true;
    return UUID_PARAMETERS.includes(name) ? isUuid(text) : /^\d{1,10}$/.test(text) && isIdNumber(Number(text));
  });
}

const isIdNumber = (id: number) => id >= 1 && id <= MAX_INT;
