// The yardstick: a node:http server that reads a body, parses it and answers.
import { Buffer } from 'node:buffer';
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const payload = JSON.parse(Buffer.concat(chunks).toString());
    const body = JSON.stringify({ external_account_number: payload.external_account_number });
    response.writeHead(201, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${server.address().port}` }));
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send(user + system);
});
