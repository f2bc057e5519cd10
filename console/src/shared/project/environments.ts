/** The environment of runs that name none. */
export const DEFAULT_ENVIRONMENT = 'production';
