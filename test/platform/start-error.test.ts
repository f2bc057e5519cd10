import { describe, expect, it } from '@jest/globals';
import { databaseStartError, folderStartError, startStep } from '../../src/platform/config/start-error.js';

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

describe('the error of a start without its data folder', () => {
  const fault = (code: string | undefined, message: string, more: object = { syscall: 'mkdir' }) =>
    folderStartError(Object.assign(new Error(message), { code, ...more }), 'DATA_DIR', '/data')?.message;

  it.each([
    ['ENOSPC', 'ENOSPC: no space left on device, write', {}],
    ['ENOSPC', 'ENOSPC: no space left on device, mkdir', { syscall: 'mkdir' }],
    ['EDQUOT', 'EDQUOT: disk quota exceeded, open', { syscall: 'open' }],
    // PostgreSQL's tools only print it.
    [undefined, 'initdb: error: could not write: No space left on device', {}],
  ])('says that the disk is full (%s: %s)', (code, message, more) => {
    expect(fault(code, message, more)).toBe(`DATA_DIR: "/data" is full (${message}). Free disk space.`);
  });

  it.each(['EACCES: permission denied', 'EROFS: read-only file system', 'ENOTDIR: not a directory'])(
    'asks for another folder (%s)',
    message => {
      expect(fault(message.split(':')[0], message)).toBe(
        `DATA_DIR: "/data" cannot be used (${message}). Set a folder that this user can create and write.`,
      );
    },
  );

  it('names the folder of STORAGE_URL', () => {
    const error = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', syscall: 'mkdir' });
    expect(folderStartError(error, 'STORAGE_URL', '/files')?.message).toMatch(/^STORAGE_URL: "\/files" cannot be used/);
  });

  it('leaves other errors as they are', async () => {
    const error = new TypeError('x is not a function');
    expect(folderStartError(error, 'DATA_DIR', '/data')).toBeUndefined();
    const step = () => Promise.reject(error);
    await expect(startStep(each => folderStartError(each, 'DATA_DIR', '/data'), step)).rejects.toBe(error);
  });
});
