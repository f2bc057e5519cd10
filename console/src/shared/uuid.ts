const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const SHORT_LENGTH = 8;

export const isUuid = (text: string): boolean => UUID.test(text);

/** The end of a UUID, which the search for runs finds. Its beginning is a time: runs of one minute have the same. */
export const shortId = (id: string): string => id.slice(-SHORT_LENGTH);
