import path from 'node:path';
import { type Config, readConfig } from '../../src/platform/config/config.js';

export const TEMPLATE_DATABASE = 'scenarium_template';
export const ADMIN_KEY = 'sk-test-administrator-key-0123456789';
export const ADMIN_EMAIL = 'admin@example.com';

/** The configuration of a tested service, with a database of the test run's PostgreSQL. */
export function testConfig(database: string, overrides: Partial<Config> = {}): Config {
  // Temporary errors of providers are retried immediately.
  const providerRetry = { tries: 3, baseMs: 5 };
  return { ...readConfig(testEnvironment(database)), providerRetry, ...overrides };
}

/** The same configuration as environment variables, for a service in its own process. */
export function testEnvironment(database: string): Record<string, string> {
  return {
    PORT: '0',
    DATABASE_URL: databaseUrl(database),
    // Test databases are copies of one template and therefore share the installation id, which names the folders of
    // their files.
    DATA_DIR: path.join(process.env.TEST_DATA_DIR as string, database),
    ADMIN_EMAIL,
    ADMIN_PASSWORD: 'correct horse battery staple',
    ADMIN_API_KEY: ADMIN_KEY,
    JWT_SECRET: 'a secret for the sessions of tests, 32 characters or more',
    SERVICE_TOKEN: 'a-service-token-for-tests-32-characters-or-more',
    ENCRYPTION_KEY: 'an encryption key for tests, 32 characters or more',
    OUTBOUND_ALLOW: '127.0.0.1',
    RATE_LIMIT_PER_MINUTE: '0',
    ANONYMOUS_LIMIT_PER_MINUTE: '0',
    LOGIN_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'silent',
  };
}

export function databaseUrl(database: string): string {
  const url = new URL(process.env.TEST_POSTGRES_URL as string);
  url.pathname = `/${database}`;
  return url.href;
}
