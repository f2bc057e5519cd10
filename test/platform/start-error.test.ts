import { describe, expect, it } from '@jest/globals';
import { databaseStartError } from '../../src/platform/config/start-error.js';

const messageOf = (error: { code: string; message: string }, url = 'postgresql://ada:secret@db:5432/app') =>
  databaseStartError(error, url)?.message;

describe('the error of a start without the database', () => {
  const REFUSED = 'DATABASE_URL: the file pg_hba.conf of PostgreSQL at db:5432 does not admit this connection';
  const entry = 'host "10.0.0.2", user "ada", database "app"';

  it.each(['no encryption', 'SSL off'])(
    'proposes TLS if the server has no entry for a connection with %s',
    encryption => {
      const message = `no pg_hba.conf entry for ${entry}, ${encryption}`;
      expect(messageOf({ code: '28000', message })).toBe(
        `${REFUSED} (${message}). Set sslmode=require if the server requires TLS, or add an entry for the user, the database and the address of this machine.`,
      );
    },
  );

  it.each([
    `no pg_hba.conf entry for ${entry}, SSL encryption`,
    `no pg_hba.conf entry for ${entry}, SSL on`,
    `pg_hba.conf rejects connection for ${entry}, SSL encryption`,
  ])('proposes no TLS for an encrypted connection: %s', message => {
    expect(messageOf({ code: '28000', message })).toBe(
      `${REFUSED} (${message}). Add an entry for the user, the database and the address of this machine.`,
    );
  });

  it('names the user if the server does not know it', () => {
    expect(messageOf({ code: '28000', message: 'role "ada" is not permitted to log in' })).toBe(
      'DATABASE_URL: PostgreSQL at db:5432 rejects the user "ada" (role "ada" is not permitted to log in). Correct the user or the password.',
    );
  });

  it('decodes the names of the URL', () => {
    const error = { code: '42501', message: 'permission denied for schema public' };
    const text = messageOf(error, 'postgresql://ada%20l:secret@db/my%20db');
    expect(text).toContain('grant create on database "my db" to "ada l"');
    expect(text).not.toContain('secret');
  });
});
