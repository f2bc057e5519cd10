import http from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';

/** A process with a minimal `ws` server. It sends every POSTed text to all subscribers without reading it. */
const server = http.createServer();
const sockets = new WebSocketServer({ server, handleProtocols: () => 'graphql-transport-ws' });
const subscriptions = new Map<WebSocket, string[]>();

sockets.on('connection', socket => {
  const ids: string[] = [];
  subscriptions.set(socket, ids);
  socket.on('close', () => subscriptions.delete(socket));
  socket.on('message', data => {
    const { type, id } = JSON.parse(String(data)) as { type: string; id: string };
    if (type === 'connection_init') socket.send('{"type":"connection_ack"}');
    else if (type === 'subscribe') {
      ids.push(id);
      // The service also sends the current state first.
      send(socket, id, '{}');
    }
  });
});

server.on('request', (request, response) => {
  let payload = '';
  request.on('data', chunk => {
    payload += chunk;
  });
  request.on('end', () => {
    for (const [socket, ids] of subscriptions) for (const id of ids) send(socket, id, payload);
    response.end('{}');
  });
});
server.listen(0, '127.0.0.1', 2_048, () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(`listens on http://127.0.0.1:${address.port}`);
});

function send(socket: WebSocket, id: string, payload: string): void {
  socket.send(`{"id":${JSON.stringify(id)},"type":"next","payload":${payload}}`);
}
