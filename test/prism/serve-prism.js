// Serves the mock answers of an OpenAPI document: node serve-prism.js FILE. The first line is the address.
import { createLogger } from '@stoplight/prism-core';
import prismHttp from '@stoplight/prism-http';
import prismServer from '@stoplight/prism-http-server';

const [file = ''] = process.argv.slice(2);
const server = prismServer.createServer(await prismHttp.getHttpOperationsFromSpec(file), {
  cors: false,
  components: { logger: createLogger('prism', { level: 'silent' }) },
  config: {
    mock: { dynamic: false },
    checkSecurity: true,
    validateRequest: true,
    validateResponse: false,
    errors: false,
    isProxy: false,
  },
});
process.on('disconnect', () => process.exit());
console.log(await server.listen(0, '127.0.0.1'));
