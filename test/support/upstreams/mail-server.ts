import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface ReceivedEmail {
  from: string;
  to: string[];
  /** The whole message, with headers. */
  text: string;
}

export interface MailServer {
  /** Address in the form of `SMTP_URL`. */
  url: string;
  received: ReceivedEmail[];
  /** The recipient whose next message gets the temporary error 451. Null: none. */
  refuseNextTo: string | null;
  stop(): Promise<void>;
}

/** Starts an SMTP server on loopback that requires the login `ann`. */
export async function startMailServer(): Promise<MailServer> {
  const server: MailServer = { url: '', received: [], refuseNextTo: null, stop: async () => {} };
  const smtp = new SMTPServer({
    ...{ allowInsecureAuth: true, hideSTARTTLS: true, logger: false },
    onAuth: ({ username, password }, _session, done) =>
      username === 'ann' && password === 'p@ss' ? done(null, { user: 'ann' }) : done(new Error('wrong credentials')),
    onData: async (stream, { envelope }, done) => {
      const text = (await buffer(stream)).toString();
      const to = envelope.rcptTo.map(({ address }) => address);
      if (server.refuseNextTo !== null && to.includes(server.refuseNextTo)) {
        server.refuseNextTo = null;
        return done(Object.assign(new Error('try later'), { responseCode: 451 }));
      }
      const from = (envelope.mailFrom || { address: '' }).address;
      server.received.push({ from, to, text });
      done();
    },
  });
  await new Promise<void>(listening => smtp.listen(0, '127.0.0.1', listening));
  server.url = `smtp://ann:p%40ss@127.0.0.1:${(smtp.server.address() as { port: number }).port}?tls=none`;
  server.stop = () => new Promise(closed => smtp.close(() => closed()));
  return server;
}
